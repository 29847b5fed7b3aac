export { ImportDialog } from './import-dialog.tsx'
