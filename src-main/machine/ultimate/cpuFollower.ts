/**
 * Follows the 6510 by its bus cycles. The bus does not mark the first byte of an instruction, so every possible account
 * is followed until only one fits; until then nothing is known.
 */
import { CONTRADICTED, CpuAccount, FITS, UNKNOWABLE, type Outcome } from './cpuAccount'
import { MAX_INSTRUCTION_CYCLES } from './cpuSteps'

/** Cycles that the last account has to fit: cycles of others can look like it for a while. */
const CONFIRMED_CYCLES = 32
const RESET_VECTOR = 0xfffc

interface CpuFollowerListener {
  completed(instruction: CpuAccount): void
  missed(): void
}

export class CpuFollower {
  readonly #listener: CpuFollowerListener
  #accounts: CpuAccount[] = []
  #openings = MAX_INSTRUCTION_CYCLES
  #isCertain = false
  #now = 0
  #resetLow = -1
  /** Where an instruction may just have begun whose opcode the bus does not show; negative for none. */
  #hidden = -1

  constructor(listener: CpuFollowerListener) {
    this.#listener = listener
  }

  get certain(): CpuAccount | undefined {
    return this.#isCertain && this.#accounts.length === 1 ? this.#accounts[0] : undefined
  }

  lose(): void {
    this.#accounts = []
    this.#openings = MAX_INSTRUCTION_CYCLES
    this.#isCertain = false
    this.#resetLow = -1
    this.#hidden = -1
    this.#listener.missed()
  }

  /** Takes the next cycle of the CPU; reads that it has to repeat are left out. */
  take(isRead: boolean, address: number, data: number): void {
    const now = ++this.#now
    const only = this.certain
    if (only) {
      if (only.isBetweenInstructions) this.#listener.completed(only)
      const outcome = only.take(isRead, address, data, now)
      if (outcome === FITS) return
      this.#listener.missed()
      this.#accounts = settle(only, outcome, address, data, now) ?? []
    } else {
      this.#takeAll(isRead, address, data, now)
    }
    if (this.#accounts.length === 0 && this.#openings === 0) this.lose()
    this.#begin(isRead, address, data, now)
    this.#noteReset(isRead, address, data, now)
    const [last] = this.#accounts
    if (last && this.#accounts.length === 1 && this.#openings === 0 && now - last.since >= CONFIRMED_CYCLES)
      this.#isCertain = true
  }

  #takeAll(isRead: boolean, address: number, data: number, now: number): void {
    let isKnowable = !(isRead && this.#hidden >= 0 && (address === this.#hidden || address === this.#hidden + 1))
    this.#hidden = -1
    const accounts = this.#accounts
    this.#accounts = []
    for (const account of accounts) {
      const outcome = account.take(isRead, address, data, now)
      if (outcome === FITS) this.#add(account)
      else if (outcome !== CONTRADICTED) {
        const next = settle(account, outcome, address, data, now)
        for (const one of next ?? []) this.#add(one)
        isKnowable &&= next !== undefined
      }
    }
    if (!isKnowable) this.lose()
  }

  #add(account: CpuAccount): void {
    for (const other of this.#accounts) {
      if (!other.equals(account)) continue
      other.merge(account)
      return
    }
    this.#accounts.push(account)
  }

  #begin(isRead: boolean, address: number, data: number, now: number): void {
    if (this.#openings === 0) return
    this.#openings--
    if (!isRead) return
    const begun = new CpuAccount(-1, now)
    if (begun.take(true, address, data, now) === FITS) this.#add(begun)
    else this.#hidden = address
  }

  /** A reset comes in the middle of an instruction, with cycles that no instruction has. */
  #noteReset(isRead: boolean, address: number, data: number, now: number): void {
    const low = this.#resetLow
    this.#resetLow = isRead && address === RESET_VECTOR ? data : -1
    if (low >= 0 && isRead && address === RESET_VECTOR + 1) this.#accounts.push(new CpuAccount(low | (data << 8), now))
  }
}

function settle(
  account: CpuAccount,
  outcome: Outcome,
  address: number,
  data: number,
  now: number,
): CpuAccount[] | undefined {
  if (outcome === FITS) return [account]
  if (outcome === CONTRADICTED) return []
  if (outcome === UNKNOWABLE) return undefined
  const branched = account.copy()
  const falls = settle(account, account.fallThrough(address, data, now), address, data, now)
  const branches = settle(branched, branched.branch(address, data, now), address, data, now)
  return falls && branches && [...falls, ...branches]
}
