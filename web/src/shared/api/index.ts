export { deferCredits, takeRemaining } from './credits.ts'
export { type Endpoint, endpoints, request, to } from './endpoints.ts'
export { detailOf, isApiError, messageOf, unlessGone } from './error.ts'
export { readFile, useFileLoader, useFileUrl } from './files.ts'
export { archiveQuery, changeListed, historyQuery, listedChats } from './history.ts'
export { apiFetch, pathOf } from './http.ts'
export { modelNameIn } from './model-name.ts'
export { apiOrigin, readApiOrigin } from './origin.ts'
export {
  apiQuery,
  authConfigQuery,
  chatQuery,
  chatUsageQuery,
  creditsQuery,
  creditWarningQuery,
  dataExportQuery,
  guestInfoQuery,
  hierarchyQuery,
  keysQuery,
  memoryKey,
  profileQuery,
  receiptQuery,
  receiptsQuery,
  sessionsQuery,
  toolsQuery,
  userUsageQuery,
} from './queries.ts'
export { refreshToken } from './refresh.ts'
export { newTrace } from './trace.ts'
export { uploadFile } from './upload.ts'
