import type { Worktree } from './worktree'

/** Changes of git's history; they need a trusted project and a native confirmation. */
export type GitStep = GitStepKind & {
  readonly within?: Worktree | undefined
}

type GitStepKind =
  /**
   * Commits in any order; they are reverted newest first. `kept` files and folders (relative to the project) stay as
   * they are: the run's own, which each turn changes in the same lines.
   */
  | { readonly kind: 'revert'; readonly commits: readonly string[]; readonly kept?: readonly string[] }
  /** `git reset --hard`; the old state is kept under a backup ref. */
  | { readonly kind: 'reset'; readonly commit: string }
  /** What is not committed is kept under a backup ref. */
  | { readonly kind: 'discard' }
  /** Paths are relative to the top of the work tree; other files stay as they are. */
  | { readonly kind: 'commit'; readonly files: readonly string[] | 'all'; readonly message: string }
  | { readonly kind: 'stash'; readonly files: readonly string[]; readonly message: string }
  /** Undoes another step: HEAD goes from `head`, where it must still be, to `commit`, which the backup ref has kept. */
  | { readonly kind: 'restore'; readonly backup: string; readonly commit: string; readonly head: string }
  /**
   * Merges a work tree's branch, except for `kept` files, then removes the work tree. `into` is what was checked out
   * when the person was asked, null for no branch; without a question it is merged only into what the run began on.
   */
  | {
      readonly kind: 'merge'
      readonly worktree: Worktree
      readonly kept: readonly string[]
      readonly into?: string | null | undefined
    }
  /** The work tree and its branch go; a ref keeps where the branch was. */
  | { readonly kind: 'throw-away'; readonly worktree: Worktree }
