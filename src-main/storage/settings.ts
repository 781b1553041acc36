import { z } from 'zod'
import { defaultSettings, settingsSchema, type Settings } from '@shared/contract/settings'
import type { Database } from './database'
import { readableRows } from './rows'

const row = z.object({ name: z.string(), value: z.string() })

/** Only a value that no longer fits its schema falls back to its default. */
export class SettingsStore {
  readonly #database: Database
  #listeners: ((settings: Settings) => void)[] = []
  #current: Settings

  constructor(database: Database) {
    this.#database = database
    this.#current = this.#read()
  }

  get current(): Settings {
    return this.#current
  }

  onChange(listener: (settings: Settings) => void): void {
    this.#listeners.push(listener)
  }

  change(changes: { readonly [Name in keyof Settings]?: Settings[Name] | undefined }): Settings {
    const changed = Object.entries(changes).filter(([, value]) => value !== undefined)
    const next = settingsSchema.parse({ ...this.#current, ...Object.fromEntries(changed) })
    const write = this.#database.prepare(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    )
    this.#database.transaction(() => {
      for (const [name, value] of changed) write.run(name, JSON.stringify(value))
    })()
    this.#current = next
    for (const listener of this.#listeners) listener(next)
    return next
  }

  #read(): Settings {
    const stored: Record<string, unknown> = {}
    for (const { name, value } of readableRows(row, this.#database.prepare('SELECT name, value FROM settings').all())) {
      const shape = Object.entries(settingsSchema.shape).find(([key]) => key === name)?.[1]
      const parsed = shape?.safeParse(parseJson(value))
      if (parsed?.success) stored[name] = parsed.data
    }
    return settingsSchema.parse({ ...defaultSettings, ...stored })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
