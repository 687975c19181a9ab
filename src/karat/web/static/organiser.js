// A link that sets the password: its secret goes into the form and out of the address.

const secret = location.hash.slice(1);
const setup = document.querySelector("#setup");
const login = document.querySelector("#login");

if (secret && setup instanceof HTMLFormElement && login instanceof HTMLFormElement) {
  const field = setup.elements.namedItem("secret");
  if (field instanceof HTMLInputElement) field.value = secret;
  setup.hidden = false;
  login.hidden = true;
  history.replaceState(null, "", location.pathname);
}
