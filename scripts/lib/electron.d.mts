export interface ElectronRuntime {
  readonly executable: string
  /** True for the old Electron that stands in where the real one cannot be downloaded. */
  readonly standIn: boolean
  readonly version: string
}

export function electronRuntime(): Promise<ElectronRuntime>
