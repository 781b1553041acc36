export interface VirtualDisplay {
  readonly environment: { readonly DISPLAY: string; readonly WAYLAND_DISPLAY: '' }
  readonly stop: () => void
}

export function hasDisplay(): boolean
export function startXvfb(size?: { width?: number; height?: number }): Promise<VirtualDisplay>
