// Segments as records, for files.

/**
 * One record for each segment: names, labels, texts and scores.
 * @param {SegmentData} data
 * @param {number[]} places
 * @returns {Record<string, string | number | null>[]}
 */
function segmentRecords(data, places) {
  const labels = data.facets.filter((facet) => facet.key === "document" || facet.key === "domain").map((facet) => {
    /** @type {Map<number, string>} */
    const known = new Map();
    facet.members.forEach((members, value) => members.forEach((place) => known.set(place, facet.values[value])));
    return { key: facet.key, known };
  });
  return places.map((place) => {
    /** @type {Record<string, string | number | null>} */
    const record = { number: data.numbers[place], segment: idOf(data, place) };
    for (const { key, known } of labels) record[key] = known.get(place) ?? null;
    data.columns.forEach(([kind, name], column) => {
      const text = data.texts[place][column];
      record[name ? `${kind}: ${name}` : kind] = text === null ? null : text.replaceAll(data.mark, "");
    });
    for (const measure of data.measures)
      data.systems.forEach((system, index) => {
        const scores = measure.scores[index];
        if (scores) record[`${measure.spec}: ${system}`] = scores[place];
      });
    return record;
  });
}
