export type { PalettePlaces } from './finder.tsx'
export { Palette } from './palette.tsx'
