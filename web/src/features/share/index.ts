export { ShareDialog } from './dialog/share-dialog.tsx'
export { SharedLinks } from './links/shared-links.tsx'
