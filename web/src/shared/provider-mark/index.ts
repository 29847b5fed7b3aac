export { ProviderMark } from './provider-mark.tsx'
