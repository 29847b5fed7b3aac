export { InfoPanel } from './info-panel.tsx'
