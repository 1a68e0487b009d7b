/** What has to be typed before a thing is deleted: the last characters of its id, which nobody types by accident. */
export const confirmationOf = (id: string): string => id.slice(-6)
