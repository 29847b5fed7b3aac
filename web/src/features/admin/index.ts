export { AdminArea } from './frame/admin-area.tsx'
export { AdminRefusal } from './frame/refusal.tsx'
export { SectionList } from './frame/section-list.tsx'
export { prepareSection } from './frame/sections.tsx'
