interface MachineKindEntry {
  readonly names: string
  readonly alone?: true
  /**
   * Without a default, the port must be named. `local`: a port alone is on this computer, and the port is always
   * written out.
   */
  readonly tcp?: { readonly defaultPort?: number; readonly local?: true }
  /** `baudInName`: another speed may follow the device, after an @. */
  readonly serial?: { readonly baud: number; readonly baudInName?: true }
  readonly takesPassword?: true
}

const machineKindTable = {
  builtin: { names: 'builtin', alone: true },
  vice: {
    names: 'vice (start one), vice:PORT or vice:HOST:PORT (attach to a running one)',
    alone: true,
    // VICE's own default for its binary monitor.
    tcp: { defaultPort: 6502, local: true },
  },
  ultimate: { names: 'ultimate:HOST', tcp: { defaultPort: 80 }, takesPassword: true },
  teensyrom: {
    names: 'teensyrom:HOST or teensyrom:DEVICE',
    tcp: { defaultPort: 2112 },
    // A USB line takes any speed; this is what TeensyROM's own tools ask for.
    serial: { baud: 2_000_000 },
  },
  easyflash: { names: 'easyflash:DEVICE', serial: { baud: 115_200 } },
  // SwiftLink's fastest.
  stub: { names: 'stub:DEVICE@BAUD or stub:HOST:PORT', tcp: {}, serial: { baud: 38_400, baudInName: true } },
} as const satisfies Readonly<Record<string, MachineKindEntry>>

export type MachineKind = keyof typeof machineKindTable

export const isMachineKind = (text: string): text is MachineKind => Object.hasOwn(machineKindTable, text)

export const machineKinds: readonly MachineKind[] = Object.keys(machineKindTable).filter(isMachineKind)

export const describeKind = (kind: MachineKind): MachineKindEntry => machineKindTable[kind]
