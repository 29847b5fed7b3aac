export { confirmed, emailField, limitsOf, newPasswordField, passwordField, usernameField } from './fields.ts'
export { FormAlert } from './form-alert.tsx'
export { placeErrors } from './server-errors.ts'
export { useServerForm } from './use-server-form.ts'
