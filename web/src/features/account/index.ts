export { AccountMenu } from './account-menu.tsx'
export { UserWatch } from './user-watch.tsx'
