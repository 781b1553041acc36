import { readFileSync, renameSync } from 'node:fs'
import { writeFile, writeFileSync } from 'atomically'
import { windowStateSchema, type WindowState } from '@shared/contract/window'
import { z } from 'zod'

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })

const dialogNames = [
  'program',
  'image',
  'state',
  'picture',
  'diagnostics',
  'path',
  'recording',
  'snapshot',
  'project',
  'taskFile',
  'machineFile',
  'text',
  'palette',
  'graphics',
  'backup',
] as const
export type DialogName = (typeof dialogNames)[number]

const { theme, layout, viewState } = windowStateSchema.shape
const storedSchema = z.object({
  bounds: boundsSchema.nullable().default(null),
  maximised: z.boolean().default(false),
  floating: boundsSchema.nullable().default(null),
  theme: theme.default('system'),
  layout: layout.default(null),
  viewState: viewState.default(null),
  folders: z.partialRecord(z.enum(dialogNames), z.string().max(4096)).default({}),
})
type Stored = z.infer<typeof storedSchema>

const SAVE_DELAY_MS = 500

/** A broken file is renamed; what fits of it is kept. */
export class WindowStore {
  readonly #path: string
  readonly #log: { warn(message: string): void }
  #stored: Stored
  #timer: NodeJS.Timeout | undefined

  constructor(path: string, log: { warn(message: string): void }) {
    this.#path = path
    this.#log = log
    this.#stored = this.#load()
  }

  get stored(): Readonly<Stored> {
    return this.#stored
  }

  get windowState(): WindowState {
    const { theme, layout, viewState } = this.#stored
    return { theme, layout, viewState }
  }

  remember(changes: Partial<Stored>): void {
    this.#stored = { ...this.#stored, ...changes }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      writeFile(this.#path, this.#text(), { mode: 0o600 }).catch((error: unknown) => this.#warn(error))
    }, SAVE_DELAY_MS)
  }

  flush(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      writeFileSync(this.#path, this.#text(), { mode: 0o600 })
    } catch (error) {
      this.#warn(error)
    }
  }

  #warn(error: unknown): void {
    this.#log.warn(`${this.#path} could not be written: ${String(error)}`)
  }

  #text(): string {
    return `${JSON.stringify(this.#stored, null, 2)}\n`
  }

  #load(): Stored {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch {
      return storedSchema.parse({})
    }
    const value = parseJson(text)
    const parsed = storedSchema.safeParse(value)
    if (parsed.success) return parsed.data
    const aside = `${this.#path}.corrupt-${new Date().toISOString().replaceAll(':', '-')}`
    renameSync(this.#path, aside)
    this.#log.warn(`${this.#path} could not be read and is kept as ${aside}; the window starts with what fits`)
    return storedSchema.parse(withoutMisfits(value))
  }
}

function withoutMisfits(value: unknown): Record<string, unknown> {
  const fields = z.record(z.string(), z.unknown()).safeParse(value).data ?? {}
  return Object.fromEntries(
    Object.entries(storedSchema.shape).flatMap(([name, shape]) =>
      name in fields && shape.safeParse(fields[name]).success ? [[name, fields[name]]] : [],
    ),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of a window's width and height: so much must be on a screen, so that the window can be seen and moved. */
const MIN_VISIBLE_PX = 100

/** Undefined, for a centred window, unless enough of the bounds is visible on a screen. */
export function visibleBounds(bounds: Bounds | null, workAreas: readonly Bounds[]): Bounds | undefined {
  if (!bounds) return undefined
  const overlap = (from: number, length: number, areaFrom: number, areaLength: number) =>
    Math.min(from + length, areaFrom + areaLength) - Math.max(from, areaFrom)
  const isVisible = workAreas.some(
    (area) =>
      overlap(bounds.x, bounds.width, area.x, area.width) >= MIN_VISIBLE_PX &&
      overlap(bounds.y, bounds.height, area.y, area.height) >= MIN_VISIBLE_PX,
  )
  return isVisible ? bounds : undefined
}
