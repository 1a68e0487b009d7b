/** Returns an instant (epoch ms) to the minute, in UTC: `2026-12-01T08:00Z`. */
export const formatMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`
