/** How a commit is written in files: its hash, or the beginning of it. Nothing else is handed to git as a name. */
export const isCommitName = (name: string): boolean => /^[0-9a-f]{4,64}$/i.test(name)
