export { DataExport } from './data-export.tsx'
