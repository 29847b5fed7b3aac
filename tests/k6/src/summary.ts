/** Writes k6's summary to a file, for the program that started k6. */
export const handleSummary = (data: object): Record<string, string> => ({ [__ENV.SUMMARY ?? '']: JSON.stringify(data) })
