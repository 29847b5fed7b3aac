export { deferCredits, takeRemaining } from './credits.ts'
export { endpoints, request } from './endpoints.ts'
export { isApiError, messageOf } from './error.ts'
export { readFile, useFileUrl } from './files.ts'
export { changeListed, historyQuery, listedChats } from './history.ts'
export { apiFetch, pathOf } from './http.ts'
export { apiOrigin, readApiOrigin } from './origin.ts'
export {
  authConfigQuery,
  chatQuery,
  chatUsageQuery,
  creditsQuery,
  dataExportQuery,
  guestInfoQuery,
  hierarchyQuery,
  profileQuery,
  sessionsQuery,
  toolsQuery,
} from './queries.ts'
export { refreshToken } from './refresh.ts'
export { uploadFile } from './upload.ts'
