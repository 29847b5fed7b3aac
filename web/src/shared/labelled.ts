const colons: Readonly<Record<string, string>> = { fr: '\u202f: ', ja: '：', zh: '：' }

/** A label before its value, with the colon of the language: `Theme: Dark`, `Thème : Sombre`, `主题：深色`. Without a value, what stands before it. */
export const labelled = (label: string, locale: string, value = ''): string =>
  `${label}${colons[locale] ?? ': '}${value}`
