import { DownloadPage } from '../features/privacy/index.ts'
import { routes } from './routes.ts'

/** The target of the mailed link to a data copy, independent of who is signed in. */
export function DataExportScreen() {
  return <DownloadPage homePath={routes.chat.getHref()} requestPath={`${routes.privacy.getHref()}#request`} />
}
