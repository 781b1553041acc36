export const RATE_WINDOW_MS = 1000

export class FrameCounts {
  #shown = 0
  #superseded = 0
  #droppedBefore = 0
  #droppedNow = 0
  #paintTimes: number[] = []
  #unpainted = false

  get shown(): number {
    return this.#shown
  }

  get superseded(): number {
    return this.#superseded
  }

  get dropped(): number {
    return this.#droppedBefore + this.#droppedNow
  }

  /** @param dropped frames that the bridge has left out since the subscription */
  arrive(dropped: number): void {
    if (dropped < this.#droppedNow) this.#droppedBefore += this.#droppedNow
    this.#droppedNow = dropped
    if (this.#unpainted) this.#superseded += 1
    this.#unpainted = true
  }

  /** @param now `performance.now()` */
  paint(now: number): void {
    if (!this.#unpainted) return
    this.#unpainted = false
    this.#shown += 1
    this.#paintTimes.push(now)
    this.#dropOldPaints(now)
  }

  paintRate(now: number): number {
    this.#dropOldPaints(now)
    return this.#paintTimes.length
  }

  restartRate(): void {
    this.#paintTimes = []
  }

  clear(): void {
    this.#shown = 0
    this.#superseded = 0
    this.#droppedBefore = 0
    this.#droppedNow = 0
    this.#unpainted = false
    this.restartRate()
  }

  #dropOldPaints(now: number): void {
    while ((this.#paintTimes[0] ?? now) < now - RATE_WINDOW_MS) this.#paintTimes.shift()
  }
}
