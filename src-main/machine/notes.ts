export interface Notes {
  get(name: string): string | undefined
  set(name: string, value: string): void
  delete(name: string): void
}
