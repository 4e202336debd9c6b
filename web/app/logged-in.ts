/** What every page also has if somebody is logged in; visitors do not need its code. */
export { LiveUpdates } from './live-updates.tsx'
export { Sidebar } from './sidebar.tsx'
