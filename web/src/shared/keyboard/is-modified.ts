/** Whether a key press belongs to the browser or the system, as Alt and an arrow key do, which lead back. Shift does not count. */
export const isModified = ({
  altKey,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey'>): boolean => altKey || ctrlKey || metaKey
