/** The address of a section, or of what is below it. */
export const adminPath = (name: string, rest = ''): string =>
  `/admin${name === 'overview' ? '' : `/${name}`}${rest === '' ? '' : `/${encodeURIComponent(rest)}`}`
