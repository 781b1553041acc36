/** Per open database; better-sqlite3's own limit is 16,000 KiB, and the system caches the files as well. */
export const MAX_PAGE_CACHE_KIB = 4_000

export function limitPageCache(database: { pragma(text: string): unknown }): void {
  database.pragma(`cache_size = -${MAX_PAGE_CACHE_KIB}`)
}
