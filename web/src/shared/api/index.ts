export { endpoints, request } from './endpoints.ts'
export { isApiError, messageOf } from './error.ts'
export { apiFetch, pathOf } from './http.ts'
export { readApiOrigin } from './origin.ts'
export {
  authConfigQuery,
  chatQuery,
  creditsQuery,
  guestInfoQuery,
  hierarchyQuery,
  historyQuery,
  profileQuery,
} from './queries.ts'
