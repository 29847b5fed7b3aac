export { HistoryKeys, HistorySidebar } from './history-sidebar.tsx'
