export { followInstallOffers, useInstall } from './install.ts'
