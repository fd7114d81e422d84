/** Sessions in one SQLite file: a store for those who want one database instead of a folder. */
export type { SqliteLogOptions } from "./store/sqlite/sqlite-log.ts";
export { SqliteStore, type SqliteStoreOptions } from "./store/sqlite/sqlite-store.ts";
