/** What every page has besides where somebody is logged in; visitors need none of its code. */
export { LiveUpdates } from './live-updates.tsx'
export { Sidebar } from './sidebar.tsx'
