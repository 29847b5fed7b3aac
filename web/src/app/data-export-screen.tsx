import { DownloadPage } from '../features/privacy/index.ts'
import { routes } from './routes.ts'

/** Where the mailed link to one's own data leads, whoever is signed in. */
export function DataExportScreen() {
  return <DownloadPage homePath={routes.chat.getHref()} requestPath={`${routes.privacy.getHref()}#request`} />
}
