/** The summary's figures as k6 counted them, for the program that started it. */
export const handleSummary = (data: object): Record<string, string> => ({ [__ENV.SUMMARY ?? '']: JSON.stringify(data) })
