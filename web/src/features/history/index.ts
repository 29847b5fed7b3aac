export { HistorySidebar } from './history-sidebar.tsx'
