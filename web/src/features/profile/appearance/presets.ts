import type { ThemeColors } from '@parley/contracts'

/** Preset colours; the first one means the themes' own. */
export const presets = [
  { name: 'own', colors: null },
  { name: 'ocean', colors: { primary: '#4aa8ff', secondary: '#35d0ba', accent: '#f5b84c', neutral: '#1b2a3d' } },
  { name: 'forest', colors: { primary: '#5fc27e', secondary: '#c6c15a', accent: '#e8a657', neutral: '#1d2b23' } },
  { name: 'plum', colors: { primary: '#c58cf2', secondary: '#f28cb8', accent: '#f2b450', neutral: '#2a2136' } },
  { name: 'ember', colors: { primary: '#ff8f6b', secondary: '#f2c14e', accent: '#ffd166', neutral: '#30211d' } },
  { name: 'graphite', colors: { primary: '#b8c4d6', secondary: '#8fa3bf', accent: '#d9b26a', neutral: '#23272e' } },
] as const satisfies readonly { name: string; colors: ThemeColors | null }[]
