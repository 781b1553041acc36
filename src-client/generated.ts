// Made by `npm run client-types` from the tools of agents and the contract; do not edit.
import type { Answer, Call, CallOptions } from './calls.ts'

/** Each tool with its operations. */
export interface Tools {
  /** Machines */
  readonly machine: {
    /** List the machines and their connections. Right: look. */
    readonly list: (given?: Readonly<Record<string, never>>, options?: CallOptions) => Promise<Answer<'machines'>>
    /** Connect a machine, and show its state and what it cannot do. Right: look. */
    readonly state: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<
      Answer<
        | 'machine'
        | 'title'
        | 'version'
        | 'connection'
        | 'execution'
        | 'standard'
        | 'speed'
        | 'warp'
        | 'program'
        | 'streams'
        | 'notices'
        | 'left'
        | 'cannot'
      >
    >
    /** Search the local network for machines. Right: connect. */
    readonly search: (
      given?: Readonly<Record<string, never>>,
      options?: CallOptions,
    ) => Promise<Answer<'searching' | 'searched' | 'found' | 'problem'>>
    /** Test a machine step by step; fails when a step fails. Right: power. */
    readonly test: (given: { readonly machine: string }, options?: CallOptions) => Promise<Answer<'machine' | 'steps'>>
    /** Pause a machine. Right: change. */
    readonly pause: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'execution'>>
    /** Resume a paused machine. Right: change. */
    readonly resume: (
      given?: {
        readonly slow?: number
        readonly unit?: 'instruction' | 'line'
        readonly until_stop?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'slow' | 'execution' | 'pc' | 'stop' | 'rows'>>
    /** Reset a machine. Right: change. */
    readonly reset: (
      given?: { readonly kind?: 'soft' | 'power'; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'kind' | 'prompt' | 'execution' | 'pc' | 'stop' | 'rows'>>
    /** Reboot an Ultimate with its C64. Right: power. */
    readonly reboot: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'did'>>
    /** Switch an Ultimate 64 off. Right: power. */
    readonly off: (given?: { readonly machine?: string }, options?: CallOptions) => Promise<Answer<'machine' | 'did'>>
    /** Press the menu button of an Ultimate. Right: power. */
    readonly menu: (given?: { readonly machine?: string }, options?: CallOptions) => Promise<Answer<'machine' | 'did'>>
    /** Switch warp on or off: run as fast as possible, or at its own speed. Right: change. */
    readonly warp: (
      given: { readonly state: 'on' | 'off'; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'warp'>>
    /** Undo what agents left at a machine: pause, speed, checkpoints, frozen values, inputs. Right: change. */
    readonly clear_left: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'text'>>
    /** Switch a machine to PAL or NTSC. Right: change. */
    readonly standard: (
      given: { readonly standard: 'pal' | 'ntsc'; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'standard'>>
    /** Undo the last call of yours that changed a machine. Right: change. */
    readonly undo: (given?: Readonly<Record<string, never>>, options?: CallOptions) => Promise<Answer<'text'>>
    /** Start or stop a stream of an Ultimate 64: its picture, its sound, or its bus. Right: power. */
    readonly stream: (
      given: { readonly stream: 'video' | 'audio' | 'debug'; readonly state: 'on' | 'off'; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'stream' | 'on'>>
    /** Show or set a resource of VICE. Right: power. */
    readonly resource: (
      given: { readonly name: string; readonly value?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'name' | 'value'>>
  }
  /** See the C64 */
  readonly see: {
    /** Show the text screen, or save the screen as PNG. Right: look. */
    readonly screen: (
      given?: { readonly wait_for?: string; readonly timeout?: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'address' | 'rows' | 'png' | 'width' | 'height'>>
    /** Show the text screen, the registers, the VIC-II and a part of memory at once. Right: look. */
    readonly all: (
      given?: { readonly range?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'execution' | 'rows' | 'registers' | 'vic' | 'memory'>>
    /** Show the text screen, or save the screen as PNG. Right: look. */
    readonly picture: (
      given?: { readonly wait_for?: string; readonly timeout?: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'address' | 'rows' | 'width' | 'height'>>
    /** Describe the current settings of the VIC-II. Right: look. */
    readonly vic: (given?: { readonly machine?: string }, options?: CallOptions) => Promise<Answer<'machine' | 'vic'>>
    /** Describe the eight sprites: why one is not visible, and what it collides with. Right: look. */
    readonly sprites: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'sprites' | 'notes'>>
    /** List the BASIC program in memory. Right: look. */
    readonly listing: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'lines'>>
    /** Show the current memory map. Right: look. */
    readonly layout: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'parts'>>
    /** List the labels of a machine’s program, and the files they come from. Right: look. */
    readonly labels: (
      given?: { readonly find?: string; readonly limit?: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'files' | 'total' | 'labels'>>
  }
  /** Memory */
  readonly memory: {
    /** Read memory: as a hex dump, by name or as source text, or into a file. Right: look. */
    readonly read: (
      given: {
        readonly address: string
        readonly length?: number
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io' | 'drive8' | 'drive9' | 'drive10' | 'drive11'
        readonly as?: 'hex' | 'assembler' | 'basic' | 'c' | 'names'
        readonly out?: string
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'address' | 'length' | 'bank' | 'bytes' | 'time' | 'names'>>
    /** Write bytes into memory. Right: change. */
    readonly write: (
      given: {
        readonly address: string
        readonly bytes: string
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io' | 'drive8' | 'drive9' | 'drive10' | 'drive11'
        readonly verify?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'address' | 'written' | 'bank'>>
    /** Copy memory of a machine to another address. Right: change. */
    readonly copy: (
      given: {
        readonly range: string
        readonly to: string
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io'
        readonly to_bank?: 'cpu' | 'ram' | 'rom' | 'io' | 'drive8' | 'drive9' | 'drive10' | 'drive11'
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'from' | 'to' | 'written'>>
    /** Search memory for bytes, text, words, pointers or instructions. Right: look. */
    readonly search: (
      given: {
        readonly query: string
        readonly as?: 'bytes' | 'text' | 'petscii' | 'screen' | 'ascii' | 'word' | 'pointer' | 'instruction'
        readonly range?: string
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io' | 'drive8' | 'drive9' | 'drive10' | 'drive11'
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'total' | 'matches'>>
    /** Show what a byte is for, who wrote it, who read it, and its last changes. Right: look. */
    readonly why: (
      given: {
        readonly address: string
        readonly watch?: boolean
        readonly unwatch?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<
      Answer<
        | 'machine'
        | 'address'
        | 'value'
        | 'readings'
        | 'uses'
        | 'seen'
        | 'written'
        | 'lastWrite'
        | 'lastRead'
        | 'lastRunCyclesAgo'
        | 'changes'
        | 'searchedCycles'
        | 'writers'
        | 'writersCycles'
        | 'noted'
      >
    >
    /** Show where two snapshots, or a snapshot and a machine, differ. Right: look. */
    readonly diff: (
      given: { readonly before: string; readonly after?: string; readonly range?: string; readonly limit?: number },
      options?: CallOptions,
    ) => Promise<Answer<'differences' | 'ranges' | 'bytes' | 'unread' | 'registers'>>
    /** Read memory or expressions repeatedly, one line each time, until Ctrl+C. Right: look. */
    readonly watch: (
      given?: {
        readonly address?: string
        readonly length?: number
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io'
        readonly show?: readonly string[]
        readonly format?: 'hex' | 'decimal' | 'binary' | 'signed' | 'petscii'
        readonly until?: string
        readonly mark?: boolean
        readonly rate?: number
        readonly count?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'time' | 'address' | 'bytes' | 'values' | 'marked' | 'missed'>>
    /** Show which memory the CPU executed, read and wrote. Right: look. */
    readonly coverage: (
      given?: { readonly since?: number; readonly pages?: boolean; readonly out?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'seconds' | 'bytes' | 'ranges' | 'pages' | 'file'>>
    /** Start a search for a value: every address is a candidate. Right: change. */
    readonly find_value: (
      given?: { readonly bank?: 'cpu' | 'ram' | 'rom' | 'io'; readonly words?: boolean; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'search' | 'frozen'>>
    /** Keep the addresses whose value meets the condition. Right: change. */
    readonly keep: (
      given: { readonly condition: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'search' | 'frozen'>>
    /** Undo the last step of the search. Right: change. */
    readonly undo: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'search' | 'frozen'>>
    /** Show the search for a value, and what is frozen. Right: look. */
    readonly found: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'search' | 'frozen'>>
    /** Freeze a value: write it back whenever the program changes it. Right: change. */
    readonly freeze: (
      given: {
        readonly address: string
        readonly value: number
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io'
        readonly words?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'search' | 'frozen'>>
    /** Release a frozen value. Right: change. */
    readonly release: (
      given: { readonly address: string; readonly bank?: 'cpu' | 'ram' | 'rom' | 'io'; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'search' | 'frozen'>>
  }
  /** Run programs */
  readonly run: {
    /** Load a program and run it. Right: change. */
    readonly assembly: (
      given: {
        readonly source: string
        readonly frames?: number
        readonly song?: number
        readonly screen?: boolean
        readonly png?: string
        readonly wait_for?: string
        readonly timeout?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'program' | 'started' | 'execution' | 'pc' | 'stop' | 'rows' | 'png'>>
    /** Load a program and run it. Right: change. */
    readonly basic: (
      given: {
        readonly source: string
        readonly frames?: number
        readonly song?: number
        readonly screen?: boolean
        readonly png?: string
        readonly wait_for?: string
        readonly timeout?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'program' | 'started' | 'execution' | 'pc' | 'stop' | 'rows' | 'png'>>
    /** Load a program and run it. Right: change. */
    readonly file: (
      given: {
        readonly file: string
        readonly frames?: number
        readonly song?: number
        readonly screen?: boolean
        readonly png?: string
        readonly wait_for?: string
        readonly timeout?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'program' | 'started' | 'execution' | 'pc' | 'stop' | 'rows' | 'png'>>
    /** Run program tests described in YAML files. Right: change. */
    readonly check: (
      given: {
        readonly file: readonly string[]
        readonly machine?: readonly string[]
        readonly only?: readonly string[]
        readonly update?: boolean
        readonly junit?: string
        readonly html?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'passed' | 'failed' | 'errors' | 'skipped' | 'notRun' | 'cases'>>
    /** Run or play a file of a machine’s own storage. Right: change. */
    readonly on_device: (
      given: { readonly path: string; readonly song?: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'path' | 'song'>>
    /** Load a program into memory without running it. Right: change. */
    readonly load: (
      given: { readonly file: string; readonly at?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'program' | 'start' | 'end' | 'bytes' | 'execution' | 'pc' | 'stop' | 'rows'>>
  }
  /** Debug */
  readonly debug: {
    /** Show the CPU’s registers. Right: look. */
    readonly registers: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'registers' | 'at'>>
    /** Set a register of the CPU. Right: change. */
    readonly set: (
      given: { readonly name: string; readonly value: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'registers' | 'at'>>
    /** Show memory as instructions, with the labels of the program. Right: look. */
    readonly disassemble: (
      given: {
        readonly address: string
        readonly count?: number
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io'
        readonly seen?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'bank' | 'instructions'>>
    /** Write one instruction into memory, with the labels of the program. Right: change. */
    readonly assemble: (
      given: {
        readonly address: string
        readonly line: string
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io' | 'drive8' | 'drive9' | 'drive10' | 'drive11'
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'address' | 'bank' | 'bytes' | 'text' | 'replaced'>>
    /** Pause a machine, execute instructions, and show the registers. Right: change. */
    readonly step: (
      given?: {
        readonly count?: number
        readonly over?: boolean
        readonly to?: string
        readonly to_next?: 'line' | 'frame' | 'irq' | 'nmi' | 'return'
        readonly timeout?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'registers' | 'at' | 'checkpoint'>>
    /** Go back in the machine’s history, and show the registers. Right: change. */
    readonly back: (
      given?: {
        readonly count?: number
        readonly unit?: 'instruction' | 'call' | 'line' | 'frame'
        readonly to_checkpoint?: boolean
        readonly to_write?: string
        readonly to_now?: boolean
        readonly to_left_future?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'registers' | 'at'>>
    /** Show the next instructions that a machine executes. Right: change. */
    readonly trace: (
      given?: { readonly count?: number; readonly frames?: number; readonly out?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<
      Answer<
        | 'cycle'
        | 'pc'
        | 'name'
        | 'source'
        | 'bytes'
        | 'text'
        | 'registers'
        | 'line'
        | 'lineCycle'
        | 'instructions'
        | 'stoppedBy'
        | 'file'
      >
    >
    /** Show which routines and labels use the CPU time. Right: look. */
    readonly profile: (
      given?: { readonly frames?: number; readonly limit?: number; readonly html?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'frames' | 'cycles' | 'instructionsCut' | 'rows' | 'html'>>
    /** Show the interrupts of a frame: handler, first and last raster line, and duration. Right: look. */
    readonly interrupts: (
      given?: { readonly frames?: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'frames' | 'cycles' | 'interruptPercent' | 'cut' | 'handlers' | 'interrupts'>>
    /** Show what a frame draws: multiplexed sprites, and splits with their raster lines. Right: look. */
    readonly frame: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'sprites' | 'bands' | 'writes' | 'cut' | 'cost' | 'notes'>>
    /** Show the CPU cycles of each raster line, and the cycle of each write to the VIC-II. Right: look. */
    readonly raster: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'cycles' | 'cpu' | 'lines' | 'writes'>>
    /** Stop a machine when it executes, reads or writes an address. Right: change. */
    readonly checkpoint: (
      given: {
        readonly range: string
        readonly on?: readonly ('exec' | 'load' | 'store')[]
        readonly if?: string
        readonly hits?: number
        readonly log?: string
        readonly temporary?: boolean
        readonly count_only?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'checkpoint'>>
    /** List the checkpoints of a machine. Right: look. */
    readonly checkpoints: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'checkpoints'>>
    /** Delete a checkpoint. Right: change. */
    readonly delete: (
      given: { readonly number: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'number'>>
    /** Enable a checkpoint. Right: change. */
    readonly enable: (
      given: { readonly number: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'number' | 'enabled' | 'unbound'>>
    /** Disable a checkpoint. Right: change. */
    readonly disable: (
      given: { readonly number: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'number' | 'enabled' | 'unbound'>>
    /** Show what the checkpoints of a machine logged. Right: look. */
    readonly log: (
      given?: { readonly after?: number; readonly follow?: boolean; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'lines'>>
    /** Load the labels of a program from a file. Right: change. */
    readonly load_labels: (
      given: { readonly file: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'file'>>
  }
  /** Type */
  readonly type: {
    /** Type text on the keyboard of a machine. Right: change. */
    readonly text: (
      given: { readonly text: string; readonly return?: boolean; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'text' | 'taken' | 'execution' | 'pc' | 'stop' | 'rows'>>
    /** Press and release keys of a machine. Right: change. */
    readonly keys: (
      given?: {
        readonly keys?: readonly string[]
        readonly hold?: number
        readonly frames?: number
        readonly keep?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'keys' | 'held'>>
    /** Push and release a joystick of a machine. Right: change. */
    readonly joystick: (
      given?: {
        readonly inputs?: readonly ('up' | 'down' | 'left' | 'right' | 'fire' | 'none')[]
        readonly port?: number
        readonly hold?: number
        readonly frames?: number
        readonly keep?: boolean
        readonly sequence?: string
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'port' | 'inputs' | 'held'>>
    /** Show the text screen, or save the screen as PNG. Right: look. */
    readonly wait: (
      given: { readonly png?: string; readonly wait_for: string; readonly timeout?: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'address' | 'rows' | 'png' | 'width' | 'height'>>
  }
  /** Graphics */
  readonly graphics: {
    /** Set the data, position and colours of a sprite, and say whether it is visible. Right: change. */
    readonly sprite: (
      given: {
        readonly sprite: number
        readonly data?: string
        readonly at?: string
        readonly x?: number
        readonly y?: number
        readonly colour?: string
        readonly multicolour?: 'on' | 'off'
        readonly expand_x?: 'on' | 'off'
        readonly expand_y?: 'on' | 'off'
        readonly behind?: 'on' | 'off'
        readonly power?: 'on' | 'off'
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'sprite'>>
    /** Save the eight sprites, or sprites anywhere in memory, as PNG. Right: look. */
    readonly sprites_picture: (
      given?: {
        readonly at?: string
        readonly count?: number
        readonly multicolour?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'sprites' | 'width' | 'height'>>
    /** Save a character set as PNG, 16 characters per row. Right: look. */
    readonly charset_picture: (
      given?: { readonly at?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'address' | 'width' | 'height'>>
    /** Compare a picture with what a machine shows, or with another picture. Right: look. */
    readonly compare: (
      given: {
        readonly baseline: string
        readonly picture?: string
        readonly machine?: string
        readonly tolerance?: number
        readonly pixels?: number
        readonly mask?: readonly string[]
        readonly html?: string
        readonly save?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'same' | 'pixels' | 'compared' | 'largest' | 'area' | 'html' | 'save'>>
    /** Write text straight into screen memory. Right: change. */
    readonly text: (
      given: {
        readonly text: string
        readonly row?: number
        readonly column?: number
        readonly colour?: string
        readonly reverse?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'address' | 'characters'>>
    /** Save sprites, characters, a screen or a bitmap of a machine as a file. Right: look. */
    readonly save: (
      given: {
        readonly file: string
        readonly what?: 'shown' | 'sprites' | 'characters' | 'screen' | 'bitmap'
        readonly at?: string
        readonly count?: number
        readonly multicolour?: boolean
        readonly format?:
          | 'spritepad-5'
          | 'spritepad-2'
          | 'spritepad-1'
          | 'spritemate'
          | 'charpad'
          | 'petmate'
          | 'koala'
          | 'art-studio'
          | 'advanced-art-studio'
          | 'fli-designer'
          | 'blackmail-fli'
          | 'kickass'
          | 'acme'
          | '64tass'
          | 'ca65'
          | 'oscar64'
          | 'basic'
          | 'png'
          | 'apng'
          | 'gif'
          | 'viewer'
          | 'raw-sprites'
          | 'raw-characters'
          | 'raw-screen'
          | 'raw-bitmap'
          | 'prg-sprites'
          | 'prg-characters'
          | 'prg-screen'
          | 'prg-bitmap'
        readonly name?: string
        readonly numbers?: 'hex' | 'binary' | 'decimal'
        readonly palette?: string
        readonly scale?: number
        readonly opaque?: boolean
        readonly columns?: number
        readonly aspect?: 'square' | 'pal' | 'ntsc'
        readonly animation?: number
        readonly address?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'artwork' | 'file' | 'format' | 'bytes' | 'notes'>>
    /** Save a sprite, or the screen behind the sprites, as an animation. Right: look. */
    readonly grab: (
      given: {
        readonly file: string
        readonly sprite?: number
        readonly looks?: number
        readonly every?: number
        readonly format?:
          | 'spritepad-5'
          | 'spritepad-2'
          | 'spritepad-1'
          | 'spritemate'
          | 'charpad'
          | 'petmate'
          | 'koala'
          | 'art-studio'
          | 'advanced-art-studio'
          | 'fli-designer'
          | 'blackmail-fli'
          | 'kickass'
          | 'acme'
          | '64tass'
          | 'ca65'
          | 'oscar64'
          | 'basic'
          | 'png'
          | 'apng'
          | 'gif'
          | 'viewer'
          | 'raw-sprites'
          | 'raw-characters'
          | 'raw-screen'
          | 'raw-bitmap'
          | 'prg-sprites'
          | 'prg-characters'
          | 'prg-screen'
          | 'prg-bitmap'
        readonly name?: string
        readonly numbers?: 'hex' | 'binary' | 'decimal'
        readonly palette?: string
        readonly scale?: number
        readonly opaque?: boolean
        readonly columns?: number
        readonly aspect?: 'square' | 'pal' | 'ntsc'
        readonly animation?: number
        readonly address?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'artworks' | 'file' | 'format' | 'bytes' | 'notes'>>
    /** Load graphics from a file into a machine’s memory, and show them. Right: change. */
    readonly load: (
      given: {
        readonly file: string
        readonly at?: string
        readonly from?:
          | 'spritepad-5'
          | 'spritepad-2'
          | 'spritepad-1'
          | 'spritemate'
          | 'charpad'
          | 'petmate'
          | 'koala'
          | 'art-studio'
          | 'advanced-art-studio'
          | 'fli-designer'
          | 'blackmail-fli'
          | 'kickass'
          | 'acme'
          | '64tass'
          | 'ca65'
          | 'oscar64'
          | 'basic'
          | 'png'
          | 'apng'
          | 'gif'
          | 'raw-sprites'
          | 'raw-characters'
          | 'raw-screen'
          | 'raw-bitmap'
          | 'prg-sprites'
          | 'prg-characters'
          | 'prg-screen'
          | 'prg-bitmap'
        readonly pick?: number
        readonly palette?: string
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'format' | 'artwork' | 'written' | 'notes'>>
    /** List the graphics formats, and what each reads and writes. Right: look. */
    readonly formats: (given?: Readonly<Record<string, never>>, options?: CallOptions) => Promise<Answer<'formats'>>
  }
  /** Sound */
  readonly sound: {
    /** Play a note on a voice of the SID. Right: change. */
    readonly note: (
      given: {
        readonly note: string
        readonly voice?: number
        readonly waveform?: 'triangle' | 'sawtooth' | 'pulse' | 'noise'
        readonly pulse_width?: number
        readonly attack?: number
        readonly decay?: number
        readonly sustain?: number
        readonly release?: number
        readonly hold?: number
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'voice' | 'hertz' | 'frequency'>>
    /** Silence one voice of the SID, or all voices and the volume. Right: change. */
    readonly off: (
      given?: { readonly voice?: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'voices'>>
    /** Set the volume of the SID. Right: change. */
    readonly volume: (
      given: { readonly volume: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'volume'>>
  }
  /** Snapshots and states */
  readonly snapshot: {
    /** Save the memory of a machine under a name. Right: change. */
    readonly save: (
      given: {
        readonly name: string
        readonly replace?: boolean
        readonly machine?: string
        readonly recording?: string
        readonly at?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'snapshot'>>
    /** Write the RAM and colour RAM of a snapshot back to a machine. Right: change. */
    readonly restore: (
      given: { readonly name: string; readonly range?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'written'>>
    /** List the snapshots of memory. Right: look. */
    readonly list: (given?: Readonly<Record<string, never>>, options?: CallOptions) => Promise<Answer<'snapshots'>>
    /** Delete a snapshot of memory. Right: change. */
    readonly delete: (given: { readonly name: string }, options?: CallOptions) => Promise<Answer<'name'>>
    /** Save the state of a machine in a file. Right: look. */
    readonly save_state: (
      given: { readonly file: string; readonly past?: number; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'path'>>
    /** Load a saved state into a machine. Right: change. */
    readonly load_state: (
      given: { readonly file: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'path'>>
  }
  /** Tasks */
  readonly tasks: {
    /** List the operations, or show what one does and which arguments it takes. Right: look. */
    readonly operations: (
      given?: {
        readonly operation?:
          | 'read'
          | 'write'
          | 'fill'
          | 'read_screen'
          | 'poll_screen'
          | 'capture_screen'
          | 'compare_picture'
          | 'extract_sprites_from_ram'
          | 'extract_animation'
          | 'extract_charset'
          | 'extract_screen'
          | 'extract_bitmap'
          | 'extract_ram'
          | 'snapshot'
          | 'compare_snapshot'
          | 'sample'
          | 'record'
          | 'run_prg'
          | 'type_text'
          | 'reset'
          | 'pause'
          | 'resume'
      },
      options?: CallOptions,
    ) => Promise<Answer<'operations' | 'name' | 'title' | 'description' | 'types' | 'needs' | 'writes' | 'arguments'>>
    /** Run an operation once and print its result. Right: change. */
    readonly run: (
      given: {
        readonly operation:
          | 'read'
          | 'write'
          | 'fill'
          | 'read_screen'
          | 'poll_screen'
          | 'capture_screen'
          | 'compare_picture'
          | 'extract_sprites_from_ram'
          | 'extract_animation'
          | 'extract_charset'
          | 'extract_screen'
          | 'extract_bitmap'
          | 'extract_ram'
          | 'snapshot'
          | 'compare_snapshot'
          | 'sample'
          | 'record'
          | 'run_prg'
          | 'type_text'
          | 'reset'
          | 'pause'
          | 'resume'
        readonly machine?: string
        readonly name?: string
        readonly args?: string
        readonly home?: string
        readonly wait?: number
      },
      options?: CallOptions,
    ) => Promise<Answer<'task' | 'result' | 'running' | 'lifetime' | 'pid'>>
    /** Repeat an operation until it is done or Ctrl+C stops it. Right: change. */
    readonly start: (
      given: {
        readonly operation:
          | 'read'
          | 'write'
          | 'fill'
          | 'read_screen'
          | 'poll_screen'
          | 'capture_screen'
          | 'compare_picture'
          | 'extract_sprites_from_ram'
          | 'extract_animation'
          | 'extract_charset'
          | 'extract_screen'
          | 'extract_bitmap'
          | 'extract_ram'
          | 'snapshot'
          | 'compare_snapshot'
          | 'sample'
          | 'record'
          | 'run_prg'
          | 'type_text'
          | 'reset'
          | 'pause'
          | 'resume'
        readonly machine?: string
        readonly name?: string
        readonly args?: string
        readonly home?: string
        readonly interval?: number
        readonly iterations?: number
      },
      options?: CallOptions,
    ) => Promise<Answer<'task' | 'result' | 'lifetime' | 'pid'>>
    /** Wait for a task to end, and print its result or progress. Right: look. */
    readonly wait: (
      given: { readonly id: string; readonly timeout?: number; readonly home?: string },
      options?: CallOptions,
    ) => Promise<Answer<'task' | 'result' | 'running'>>
    /** List the tasks. Right: look. */
    readonly list: (
      given?: { readonly status?: 'running' | 'completed' | 'stopped' | 'error' | 'unknown'; readonly home?: string },
      options?: CallOptions,
    ) => Promise<Answer<'home' | 'problems' | 'tasks'>>
    /** Show a task with its arguments, result, files and the end of its log. Right: look. */
    readonly show: (
      given: { readonly id: string; readonly home?: string },
      options?: CallOptions,
    ) => Promise<Answer<'task' | 'args' | 'result' | 'artifacts' | 'problems' | 'log'>>
    /** Print the log of a task. Right: look. */
    readonly log: (
      given: { readonly id: string; readonly home?: string },
      options?: CallOptions,
    ) => Promise<Answer<'id' | 'log'>>
    /** Stop a task. Right: change. */
    readonly stop: (
      given: { readonly id: string; readonly home?: string },
      options?: CallOptions,
    ) => Promise<Answer<'task'>>
    /** Stop every task. Right: change. */
    readonly stop_all: (given?: { readonly home?: string }, options?: CallOptions) => Promise<Answer<'stopped'>>
  }
  /** Recordings */
  readonly recording: {
    /** List the recordings. Right: look. */
    readonly list: (given?: { readonly home?: string }, options?: CallOptions) => Promise<Answer<'recordings'>>
    /** Show details of a recording. Right: look. */
    readonly show: (
      given: { readonly recording: string; readonly home?: string },
      options?: CallOptions,
    ) => Promise<
      Answer<
        | 'recording'
        | 'machine'
        | 'from'
        | 'to'
        | 'frames'
        | 'bytes'
        | 'spaces'
        | 'picture'
        | 'registers'
        | 'missing'
        | 'epochs'
      >
    >
    /** Query a recording for a memory image, changes, values, the first match, or a difference. Right: look. */
    readonly query: (
      given: {
        readonly recording: string
        readonly question: 'image' | 'changes' | 'values' | 'first' | 'difference'
        readonly address?: string
        readonly length?: number
        readonly bank?: 'cpu' | 'ram' | 'rom' | 'io'
        readonly at?: string
        readonly from?: string
        readonly to?: string
        readonly limit?: number
        readonly points?: number
        readonly is?: 'equals' | 'notEquals' | 'above' | 'below' | 'changes'
        readonly value?: number
        readonly home?: string
      },
      options?: CallOptions,
    ) => Promise<
      Answer<
        | 'time'
        | 'frame'
        | 'address'
        | 'bank'
        | 'bytes'
        | 'changes'
        | 'total'
        | 'values'
        | 'exact'
        | 'found'
        | 'ranges'
        | 'unknown'
        | 'damages'
      >
    >
    /** List the marks of a recording. Right: look. */
    readonly marks: (
      given: { readonly recording: string; readonly home?: string },
      options?: CallOptions,
    ) => Promise<Answer<'marks'>>
    /** Mark a moment of a recording with a text, also while it records. Right: change. */
    readonly mark: (
      given: { readonly recording: string; readonly text: string; readonly at?: string; readonly home?: string },
      options?: CallOptions,
    ) => Promise<Answer<'mark' | 'time' | 'text' | 'value'>>
  }
  /** Disk drives */
  readonly drives: {
    /** List the disk drives of a machine and what is mounted. Right: look. */
    readonly list: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'drives'>>
    /** Mount a disk image in a drive. Right: power. */
    readonly mount: (
      given: {
        readonly file: string
        readonly drive?: string
        readonly mode?: 'readwrite' | 'readonly' | 'unlinked'
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'drive' | 'path' | 'mode' | 'image' | 'enabled'>>
    /** Mount a disk image from a machine’s own storage in a drive. Right: power. */
    readonly mount_on_device: (
      given: {
        readonly path: string
        readonly drive?: string
        readonly mode?: 'readwrite' | 'readonly' | 'unlinked'
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'drive' | 'path' | 'mode'>>
    /** Remove the disk image from a drive. Right: power. */
    readonly unmount: (
      given?: { readonly drive?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'drive'>>
    /** Switch a drive on or off, change its model, or reset it. Right: power. */
    readonly set: (
      given: {
        readonly drive: string
        readonly power?: 'on' | 'off'
        readonly model?: '1541' | '1571' | '1581'
        readonly reset?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'drive'>>
    /** Load a ROM file into a drive of an Ultimate. Right: power. */
    readonly load_rom: (
      given: { readonly drive: string; readonly file: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'drive' | 'path'>>
  }
  /** Storage and configuration of a device */
  readonly device: {
    /** List a folder of a machine’s own storage. Right: look. */
    readonly list: (
      given?: { readonly folder?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'folder' | 'files'>>
    /** Find files by name in a machine’s own storage. Right: look. */
    readonly find: (
      given: { readonly name: string; readonly folder?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'files' | 'complete'>>
    /** Copy a file to a machine’s own storage. Right: change. */
    readonly upload: (
      given: { readonly file: string; readonly folder?: string; readonly replace?: boolean; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'path' | 'size'>>
    /** Copy a file to a machine’s own storage. Right: change. */
    readonly upload_bytes: (
      given: {
        readonly name: string
        readonly base64: string
        readonly folder?: string
        readonly replace?: boolean
        readonly machine?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'path' | 'size'>>
    /** Copy a file from a machine’s own storage to this computer. Right: look. */
    readonly download: (
      given: { readonly path: string; readonly out: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'path' | 'out' | 'size'>>
    /** Create an empty disk image in a machine’s own storage. Right: power. */
    readonly create_image: (
      given: { readonly path: string; readonly title?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'path'>>
    /** List the categories of a machine’s configuration. Right: look. */
    readonly config_list: (
      given?: { readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'categories'>>
    /** Show the settings of a category, or one, with their possible values. Right: look. */
    readonly config_get: (
      given: { readonly category: string; readonly item?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'category' | 'items'>>
    /** Change settings of a category. Right: power. */
    readonly config_set: (
      given: { readonly category: string; readonly values?: readonly string[]; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'category' | 'set'>>
    /** Save a machine’s configuration in a file, without its passwords. Right: look. */
    readonly config_save: (
      given: { readonly file: string; readonly category?: readonly string[]; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'path' | 'categories' | 'items'>>
    /** Show where a machine’s configuration differs from a saved one. Right: look. */
    readonly config_diff: (
      given: { readonly file: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'differences'>>
    /** Restore a saved configuration: set what differs. Right: power. */
    readonly config_restore: (
      given: { readonly file: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'restored'>>
    /** Load a machine’s configuration from its flash, save it there, or reset it. Right: power. */
    readonly config_flash: (
      given: { readonly action: 'load' | 'save' | 'reset'; readonly category?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'machine' | 'action' | 'category'>>
  }
  /** Projects */
  readonly project: {
    /** List the notes of a project, or those at a place. Right: look. */
    readonly notes: (
      given?: { readonly at?: string; readonly machine?: string },
      options?: CallOptions,
    ) => Promise<Answer<'folder' | 'notes' | 'problems'>>
    /** Add a note to a project. Right: files. */
    readonly note: (
      given: { readonly text: string; readonly at?: string; readonly evidence?: string },
      options?: CallOptions,
    ) => Promise<Answer<'note'>>
    /** Change a note. It stays where it is in the file. Right: files. */
    readonly edit_note: (
      given: { readonly note: string; readonly text: string; readonly at?: string; readonly evidence?: string },
      options?: CallOptions,
    ) => Promise<Answer<'note' | 'before'>>
    /** Remove a note. Right: files. */
    readonly remove_note: (given: { readonly note: string }, options?: CallOptions) => Promise<Answer<'before'>>
    /** Find the runs in a folder and show their state. Right: look. */
    readonly inspect: (
      given: { readonly folder: string },
      options?: CallOptions,
    ) => Promise<Answer<'folder' | 'runs' | 'findings'>>
    /** List what waits for you, oldest first. Right: look. */
    readonly needs: (given: { readonly folder: string }, options?: CallOptions) => Promise<Answer<'folder' | 'needs'>>
    /** List the needs that can be answered; preview one answer, or write it. Right: files. */
    readonly answer: (
      given: {
        readonly folder: string
        readonly run?: string
        readonly action?: string
        readonly target?: string
        readonly set?: readonly string[]
        readonly yes?: boolean
      },
      options?: CallOptions,
    ) => Promise<Answer<'actions' | 'preview' | 'outcome' | 'edit' | 'summary'>>
    /** List the available actions of the runs; preview one, or carry it out. Right: files. */
    readonly act: (
      given: {
        readonly folder: string
        readonly run?: string
        readonly action?: string
        readonly target?: string
        readonly set?: readonly string[]
        readonly yes?: boolean
      },
      options?: CallOptions,
    ) => Promise<Answer<'actions' | 'preview' | 'outcome' | 'edit' | 'summary'>>
    /** Show the combined changes of a task, of one attempt at it, or of one turn. Right: look. */
    readonly diff: (
      given: {
        readonly folder: string
        readonly task?: string
        readonly turn?: string
        readonly attempt?: number
        readonly run?: string
      },
      options?: CallOptions,
    ) => Promise<Answer<'run' | 'task' | 'turn' | 'commits' | 'attempts' | 'shared' | 'files' | 'diff' | 'isCut'>>
    /** Check the files of the runs in a folder; exits with 1 for errors. Right: look. */
    readonly validate: (
      given: { readonly folder: string },
      options?: CallOptions,
    ) => Promise<Answer<'folder' | 'runs' | 'valid' | 'findings'>>
  }
}

export const createTools = (call: Call): Tools => ({
  machine: {
    list: (given, options) => call('machine', 'list', given, options),
    state: (given, options) => call('machine', 'state', given, options),
    search: (given, options) => call('machine', 'search', given, options),
    test: (given, options) => call('machine', 'test', given, options),
    pause: (given, options) => call('machine', 'pause', given, options),
    resume: (given, options) => call('machine', 'resume', given, options),
    reset: (given, options) => call('machine', 'reset', given, options),
    reboot: (given, options) => call('machine', 'reboot', given, options),
    off: (given, options) => call('machine', 'off', given, options),
    menu: (given, options) => call('machine', 'menu', given, options),
    warp: (given, options) => call('machine', 'warp', given, options),
    clear_left: (given, options) => call('machine', 'clear_left', given, options),
    standard: (given, options) => call('machine', 'standard', given, options),
    undo: (given, options) => call('machine', 'undo', given, options),
    stream: (given, options) => call('machine', 'stream', given, options),
    resource: (given, options) => call('machine', 'resource', given, options),
  },
  see: {
    screen: (given, options) => call('see', 'screen', given, options),
    all: (given, options) => call('see', 'all', given, options),
    picture: (given, options) => call('see', 'picture', given, options),
    vic: (given, options) => call('see', 'vic', given, options),
    sprites: (given, options) => call('see', 'sprites', given, options),
    listing: (given, options) => call('see', 'listing', given, options),
    layout: (given, options) => call('see', 'layout', given, options),
    labels: (given, options) => call('see', 'labels', given, options),
  },
  memory: {
    read: (given, options) => call('memory', 'read', given, options),
    write: (given, options) => call('memory', 'write', given, options),
    copy: (given, options) => call('memory', 'copy', given, options),
    search: (given, options) => call('memory', 'search', given, options),
    why: (given, options) => call('memory', 'why', given, options),
    diff: (given, options) => call('memory', 'diff', given, options),
    watch: (given, options) => call('memory', 'watch', given, options),
    coverage: (given, options) => call('memory', 'coverage', given, options),
    find_value: (given, options) => call('memory', 'find_value', given, options),
    keep: (given, options) => call('memory', 'keep', given, options),
    undo: (given, options) => call('memory', 'undo', given, options),
    found: (given, options) => call('memory', 'found', given, options),
    freeze: (given, options) => call('memory', 'freeze', given, options),
    release: (given, options) => call('memory', 'release', given, options),
  },
  run: {
    assembly: (given, options) => call('run', 'assembly', given, options),
    basic: (given, options) => call('run', 'basic', given, options),
    file: (given, options) => call('run', 'file', given, options),
    check: (given, options) => call('run', 'check', given, options),
    on_device: (given, options) => call('run', 'on_device', given, options),
    load: (given, options) => call('run', 'load', given, options),
  },
  debug: {
    registers: (given, options) => call('debug', 'registers', given, options),
    set: (given, options) => call('debug', 'set', given, options),
    disassemble: (given, options) => call('debug', 'disassemble', given, options),
    assemble: (given, options) => call('debug', 'assemble', given, options),
    step: (given, options) => call('debug', 'step', given, options),
    back: (given, options) => call('debug', 'back', given, options),
    trace: (given, options) => call('debug', 'trace', given, options),
    profile: (given, options) => call('debug', 'profile', given, options),
    interrupts: (given, options) => call('debug', 'interrupts', given, options),
    frame: (given, options) => call('debug', 'frame', given, options),
    raster: (given, options) => call('debug', 'raster', given, options),
    checkpoint: (given, options) => call('debug', 'checkpoint', given, options),
    checkpoints: (given, options) => call('debug', 'checkpoints', given, options),
    delete: (given, options) => call('debug', 'delete', given, options),
    enable: (given, options) => call('debug', 'enable', given, options),
    disable: (given, options) => call('debug', 'disable', given, options),
    log: (given, options) => call('debug', 'log', given, options),
    load_labels: (given, options) => call('debug', 'load_labels', given, options),
  },
  type: {
    text: (given, options) => call('type', 'text', given, options),
    keys: (given, options) => call('type', 'keys', given, options),
    joystick: (given, options) => call('type', 'joystick', given, options),
    wait: (given, options) => call('type', 'wait', given, options),
  },
  graphics: {
    sprite: (given, options) => call('graphics', 'sprite', given, options),
    sprites_picture: (given, options) => call('graphics', 'sprites_picture', given, options),
    charset_picture: (given, options) => call('graphics', 'charset_picture', given, options),
    compare: (given, options) => call('graphics', 'compare', given, options),
    text: (given, options) => call('graphics', 'text', given, options),
    save: (given, options) => call('graphics', 'save', given, options),
    grab: (given, options) => call('graphics', 'grab', given, options),
    load: (given, options) => call('graphics', 'load', given, options),
    formats: (given, options) => call('graphics', 'formats', given, options),
  },
  sound: {
    note: (given, options) => call('sound', 'note', given, options),
    off: (given, options) => call('sound', 'off', given, options),
    volume: (given, options) => call('sound', 'volume', given, options),
  },
  snapshot: {
    save: (given, options) => call('snapshot', 'save', given, options),
    restore: (given, options) => call('snapshot', 'restore', given, options),
    list: (given, options) => call('snapshot', 'list', given, options),
    delete: (given, options) => call('snapshot', 'delete', given, options),
    save_state: (given, options) => call('snapshot', 'save_state', given, options),
    load_state: (given, options) => call('snapshot', 'load_state', given, options),
  },
  tasks: {
    operations: (given, options) => call('tasks', 'operations', given, options),
    run: (given, options) => call('tasks', 'run', given, options),
    start: (given, options) => call('tasks', 'start', given, options),
    wait: (given, options) => call('tasks', 'wait', given, options),
    list: (given, options) => call('tasks', 'list', given, options),
    show: (given, options) => call('tasks', 'show', given, options),
    log: (given, options) => call('tasks', 'log', given, options),
    stop: (given, options) => call('tasks', 'stop', given, options),
    stop_all: (given, options) => call('tasks', 'stop_all', given, options),
  },
  recording: {
    list: (given, options) => call('recording', 'list', given, options),
    show: (given, options) => call('recording', 'show', given, options),
    query: (given, options) => call('recording', 'query', given, options),
    marks: (given, options) => call('recording', 'marks', given, options),
    mark: (given, options) => call('recording', 'mark', given, options),
  },
  drives: {
    list: (given, options) => call('drives', 'list', given, options),
    mount: (given, options) => call('drives', 'mount', given, options),
    mount_on_device: (given, options) => call('drives', 'mount_on_device', given, options),
    unmount: (given, options) => call('drives', 'unmount', given, options),
    set: (given, options) => call('drives', 'set', given, options),
    load_rom: (given, options) => call('drives', 'load_rom', given, options),
  },
  device: {
    list: (given, options) => call('device', 'list', given, options),
    find: (given, options) => call('device', 'find', given, options),
    upload: (given, options) => call('device', 'upload', given, options),
    upload_bytes: (given, options) => call('device', 'upload_bytes', given, options),
    download: (given, options) => call('device', 'download', given, options),
    create_image: (given, options) => call('device', 'create_image', given, options),
    config_list: (given, options) => call('device', 'config_list', given, options),
    config_get: (given, options) => call('device', 'config_get', given, options),
    config_set: (given, options) => call('device', 'config_set', given, options),
    config_save: (given, options) => call('device', 'config_save', given, options),
    config_diff: (given, options) => call('device', 'config_diff', given, options),
    config_restore: (given, options) => call('device', 'config_restore', given, options),
    config_flash: (given, options) => call('device', 'config_flash', given, options),
  },
  project: {
    notes: (given, options) => call('project', 'notes', given, options),
    note: (given, options) => call('project', 'note', given, options),
    edit_note: (given, options) => call('project', 'edit_note', given, options),
    remove_note: (given, options) => call('project', 'remove_note', given, options),
    inspect: (given, options) => call('project', 'inspect', given, options),
    needs: (given, options) => call('project', 'needs', given, options),
    answer: (given, options) => call('project', 'answer', given, options),
    act: (given, options) => call('project', 'act', given, options),
    diff: (given, options) => call('project', 'diff', given, options),
    validate: (given, options) => call('project', 'validate', given, options),
  },
})

/** What can be listened to, with what is told. */
export interface EventPayloads {
  readonly 'machine.states': {
    readonly machines: readonly {
      readonly machine: string
      readonly kind: 'builtin' | 'vice' | 'ultimate' | 'teensyrom' | 'easyflash' | 'stub'
      readonly title: string
      readonly connection: 'idle' | 'connecting' | 'live' | 'stale' | 'lost'
      readonly reason: string | null
      readonly hint: string | null
      readonly wasLive: boolean
      readonly retry: { readonly failures: number; readonly next: number | null } | null
      readonly execution: 'running' | 'paused' | 'jammed' | 'unknown'
      readonly stop: {
        readonly checkpoint: number
        readonly time: number
        readonly pc: number
        readonly start: number
        readonly end: number
        readonly operation: 'load' | 'store' | 'exec' | null
        readonly by: { readonly address: number; readonly text: string } | null
        readonly condition: string | null
        readonly hit: number | null
        readonly pins: number | null
      } | null
      readonly standard: 'pal' | 'ntsc' | null
      readonly speed: number | null
      readonly warp: boolean
      readonly slow: { readonly unit: 'instruction' | 'line'; readonly perSecond: number } | null
      readonly sampling: {
        readonly mode: 'off' | 'free' | 'lockStep'
        readonly rate: number
        readonly measured: number
      }
      readonly samplingRisk: string | null
      readonly streams: readonly {
        readonly stream: 'video' | 'audio' | 'debug'
        readonly packets: number
        readonly lost: number
      }[]
      readonly cost: number | null
      readonly capabilities: Readonly<
        Partial<
          Record<
            | 'readMemory'
            | 'writeMemory'
            | 'ramUnderRom'
            | 'driveMemory'
            | 'registers'
            | 'setRegisters'
            | 'pause'
            | 'step'
            | 'reset'
            | 'warp'
            | 'standard'
            | 'runProgram'
            | 'typeText'
            | 'keyMatrix'
            | 'joystick'
            | 'picture'
            | 'lockStep'
            | 'checkpoints'
            | 'checkpointConditions'
            | 'logPoints'
            | 'slowMotion'
            | 'trace'
            | 'interrupts'
            | 'videoFrame'
            | 'rasterFrame'
            | 'profile'
            | 'timeTravel'
            | 'saveState'
            | 'resources'
            | 'quit'
            | 'reboot'
            | 'powerOff'
            | 'menuButton'
            | 'drives'
            | 'configuration'
            | 'files'
            | 'folders'
            | 'transferFiles'
            | 'createImage'
            | 'runFile'
            | 'videoStream'
            | 'audioStream'
            | 'debugStream',
            string | null
          >
        >
      >
      readonly programFiles: Readonly<
        Partial<Record<'prg' | 'cartridge' | 'disk' | 'tape' | 'snapshot' | 'music', string | null>>
      >
      readonly hasBasic: boolean
      readonly version: string | null
      readonly program: {
        readonly name: string
        readonly watched: boolean
        readonly startedAt: number
        readonly reruns: number
        readonly problem: string | null
      } | null
      readonly past: {
        readonly start: number
        readonly now: number
        readonly end: number
        readonly left: { readonly from: number; readonly end: number } | null
        readonly clockRate: number
        readonly bytes: number
      } | null
      readonly replaying: number | null
      readonly logged: number
      readonly notices: readonly string[]
      readonly warnings: readonly string[]
    }[]
  }
  readonly 'machine.notice': { readonly message: string; readonly hint: string | null }
  readonly 'running.loadedChanged': { readonly machine: string }
  readonly 'labels.changed': { readonly machine: string }
  readonly 'snapshots.changed': Readonly<Record<string, never>>
  readonly 'values.changed': { readonly machine: string }
  readonly 'tasks.changed': {
    readonly from: number
    readonly revision: number
    readonly changed: readonly {
      readonly id: string
      readonly name: string
      readonly type: 'foreground' | 'background'
      readonly operation: string
      readonly status: 'running' | 'completed' | 'stopped' | 'error' | 'unknown'
      readonly machine: string | null
      readonly intervalMs: number | null
      readonly maxIterations: number | null
      readonly iterations: number | null
      readonly startedAt: number | null
      readonly updatedAt: number | null
      readonly stoppedAt: number | null
      readonly lastError: string | null
      readonly folder: string
      readonly nextRunAt: number | null
      readonly missedTicks: number
      readonly progress: { readonly share: number | null; readonly text: string } | null
      readonly recorded: { readonly frames: number; readonly durationMs: number } | null
      readonly runner: 'here' | 'elsewhere' | 'nobody'
      readonly waiting: string | null
      readonly interrupted: string | null
      readonly resumable: boolean
      readonly orphan: 'noEntry' | 'noFolder' | null
      readonly own: boolean
      readonly notices: readonly string[]
    }[]
    readonly removed: readonly string[]
  }
  readonly 'tasks.log': { readonly offset: number; readonly text: string; readonly next: number; readonly id: string }
  readonly 'recorder.marked': { readonly recording: string }
}
export type EventName = keyof EventPayloads

/** Which frames are sent: `rate` is a second. */
export type FrameRequest = {
  readonly machine?: string
  readonly rate: number
  readonly picture?: boolean
  readonly screen?: boolean
  readonly registers?: boolean
  readonly memory?: readonly {
    readonly space?: 'cpu' | 'ram' | 'rom' | 'io' | 'colorRam'
    readonly address: number
    readonly length: number
  }[]
}

export type Frame = {
  readonly kind: 'frame'
  readonly id: string
  readonly machine: string
  readonly time: number
  readonly dropped: number
  readonly screen?: readonly string[]
  readonly registers?: readonly { readonly name: string; readonly value: number; readonly bits: number }[]
  readonly memory?: readonly {
    readonly space: 'cpu' | 'ram' | 'rom' | 'io' | 'colorRam'
    readonly address: number
    readonly bytes: string
  }[]
  readonly picture?: { readonly width: number; readonly height: number }
}
