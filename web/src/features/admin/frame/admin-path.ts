/** The address of a section, or of a page below it. */
export const adminPath = (name: string, rest = ''): string =>
  `/admin${name === 'overview' ? '' : `/${name}`}${rest === '' ? '' : `/${encodeURIComponent(rest)}`}`
