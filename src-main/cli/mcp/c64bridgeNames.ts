/** For agents that know c64bridge: its names for what our tools do too. Not in the list of tools. */
import { didYouMean } from '../nearestName'
import { UsageError } from '../usageError'

type Given = Readonly<Record<string, unknown>>

interface Meant {
  readonly as: `${string} ${string}`
  readonly names?: Readonly<Record<string, string>>
  readonly leftOut?: readonly string[]
  readonly also?: Given
  readonly change?: (given: Given) => Given
}

const drive = (also: Given): Meant => ({ as: 'drives set', also })
const file = { names: { path: 'file' } } as const

const unchanged = (given: Given): Given => given

/** c64bridge reads and writes through the cartridge port, so it sees what the CPU sees. */
const seenByCpu = { bank: 'cpu' } as const

const plainText = ({ isRegex, caseInsensitive, ...given }: Given): Given => ({
  ...given,
  ...(isRegex === undefined || isRegex === false ? {} : { isRegex }),
  ...(caseInsensitive === undefined || caseInsensitive === true ? {} : { caseInsensitive }),
})

/** Waits are given in ms there, in seconds here. */
const inSeconds = ({ timeoutMs, ...given }: Given): Given => ({
  ...given,
  ...(typeof timeoutMs === 'number' ? { timeout: Math.max(1, Math.ceil(timeoutMs / 1000)) } : {}),
})

const configValue = ({ item, value, ...given }: Given): Given => ({
  ...given,
  values: [`${String(item)}=${String(value)}`],
})

const sidWaveforms: Readonly<Record<string, string>> = { tri: 'triangle', saw: 'sawtooth' }
const sidNote = ({ note, frequencyHz, waveform, ...given }: Given): Given => ({
  ...given,
  note: note ?? (typeof frequencyHz === 'number' ? String(frequencyHz) : undefined),
  waveform: typeof waveform === 'string' ? (sidWaveforms[waveform] ?? waveform) : 'pulse',
})

const asArgs = ({ arguments: args, ...given }: Given): Given => ({
  ...given,
  ...(args === undefined ? {} : { args: JSON.stringify(args) }),
})

const spriteOnOff = ({ multicolour, ...given }: Given): Given => ({
  ...given,
  ...(typeof multicolour === 'boolean' ? { multicolour: multicolour ? 'on' : 'off' } : {}),
})

const oneKey = ({ key, hold, ...given }: Given): Given => ({
  ...given,
  keys: [key],
  ...(hold === 0 || hold === undefined ? {} : { hold }),
})

export const c64bridgeNames: Readonly<Record<string, Readonly<Record<string, Meant>>>> = {
  c64_memory: {
    read: { as: 'memory read', also: seenByCpu },
    write: { as: 'memory write', also: seenByCpu, leftOut: ['abortOnMismatch'] },
    read_screen: { as: 'see screen' },
    wait_for_text: {
      as: 'type wait',
      names: { pattern: 'wait_for' },
      leftOut: ['intervalMs'],
      change: (given) => inSeconds(plainText(given)),
    },
    disassemble: { as: 'debug disassemble', names: { instructionCount: 'count' }, also: seenByCpu },
  },
  c64_program: {
    run_prg: { as: 'run on_device' },
    run_crt: { as: 'run on_device' },
    upload_run_basic: { as: 'run basic', names: { program: 'source' } },
    upload_run_asm: { as: 'run assembly', names: { program: 'source' } },
  },
  c64_system: {
    pause: { as: 'machine pause' },
    resume: { as: 'machine resume' },
    reset: { as: 'machine reset' },
    power_cycle: { as: 'machine reset', also: { kind: 'power' } },
    reboot: { as: 'machine reboot' },
    poweroff: { as: 'machine off' },
    menu: { as: 'machine menu' },
    start_task: {
      as: 'tasks start',
      names: { intervalMs: 'interval', maxIterations: 'iterations' },
      change: asArgs,
    },
    stop_all_tasks: { as: 'tasks stop_all' },
    list_tasks: { as: 'tasks list' },
  },
  c64_disk: {
    list_drives: { as: 'drives list' },
    mount: { as: 'drives mount_on_device', names: { image: 'path', attachmentMode: 'mode' } },
    unmount: { as: 'drives unmount' },
    create_image: { as: 'device create_image', names: { diskname: 'title' }, leftOut: ['format'] },
    file_info: { as: 'device list', names: { path: 'folder' } },
  },
  c64_drive: {
    power_on: drive({ power: 'on' }),
    power_off: drive({ power: 'off' }),
    reset: drive({ reset: true }),
    set_mode: { as: 'drives set', names: { mode: 'model' } },
  },
  c64_config: {
    list: { as: 'device config_list' },
    get: { as: 'device config_get' },
    set: { as: 'device config_set', change: configValue },
    snapshot: { as: 'device config_save', ...file },
    restore: { as: 'device config_restore', ...file },
    diff: { as: 'device config_diff', ...file },
    load_flash: { as: 'device config_flash', also: { action: 'load' } },
    save_flash: { as: 'device config_flash', also: { action: 'save' } },
    reset_defaults: { as: 'device config_flash', also: { action: 'reset' } },
    info: { as: 'machine state' },
    version: { as: 'machine state' },
  },
  c64_graphics: {
    capture_frame: { as: 'see picture', leftOut: ['includePixels', 'encoding'] },
    get_display_state: { as: 'see vic' },
    render_sprite: {
      as: 'graphics sprite',
      names: { sprite: 'data', index: 'sprite', color: 'colour' },
      also: { sprite: 0, x: 100, y: 100, colour: 1 },
      change: spriteOnOff,
    },
    render_petscii_text: { as: 'graphics text' },
  },
  c64_sound: {
    note_on: { as: 'sound note', names: { pulseWidth: 'pulse_width' }, leftOut: ['system'], change: sidNote },
    note_off: { as: 'sound off' },
    set_volume: { as: 'sound volume' },
    silence_all: { as: 'sound off' },
    play_sid_file: { as: 'run on_device', names: { songnr: 'song' } },
    play_mod_file: { as: 'run on_device' },
  },
  c64_input: {
    write_text: { as: 'type text' },
    key: { as: 'type keys', names: { durationMs: 'hold' }, change: oneKey },
  },
  c64_debug: {
    get_registers: { as: 'debug registers' },
    list_checkpoints: { as: 'debug checkpoints' },
    continue_execution: { as: 'machine resume' },
    step: { as: 'debug step' },
    step_return: { as: 'debug step', also: { to_next: 'return' } },
  },
  c64_vice: { resource_get: { as: 'machine resource' }, resource_set: { as: 'machine resource' } },
}

export interface OurCall {
  readonly tool: string
  readonly given: Given
}

/**
 * Null for a tool that is not c64bridge's.
 * @throws UsageError for an operation without an equivalent
 */
export function ourCall(tool: string, { op, ...given }: Given): OurCall | null {
  const operations = Object.hasOwn(c64bridgeNames, tool) ? c64bridgeNames[tool] : undefined
  if (!operations) return null
  const wanted = typeof op === 'string' ? op : ''
  const named = Object.hasOwn(operations, wanted) ? operations[wanted] : undefined
  const known = Object.keys(operations)
  if (!named)
    throw new UsageError(
      `${tool} has no op “${wanted.slice(0, 40)}” here.${didYouMean(wanted, known)} Known: ${known.join(', ')}. Bridgedeck’s own tools do more: see the list of tools.`,
    )
  const { as, names = {}, leftOut = [], also = {}, change = unchanged } = named
  const [ours = '', operation = ''] = as.split(' ')
  const renamed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) if (!leftOut.includes(name)) renamed[names[name] ?? name] = value
  return { tool: ours, given: { ...also, ...change(renamed), op: operation } }
}
