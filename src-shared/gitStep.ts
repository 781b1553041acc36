import type { Worktree } from './worktree'

/** Changes of git's history, which need a trusted project and a native confirmation. */
export type GitStep = GitStepKind & {
  /** The run's work tree, in which it is done instead of the project's folder. */
  readonly within?: Worktree | undefined
}

type GitStepKind =
  /**
   * In any order: they are reverted newest first. Files that are `kept`, or below a folder that is (relative to the project), stay
   * as they are: the run's own, which each turn changes in the same lines.
   */
  | { readonly kind: 'revert'; readonly commits: readonly string[]; readonly kept?: readonly string[] }
  /** `git reset --hard`: what was there is kept under a backup ref. */
  | { readonly kind: 'reset'; readonly commit: string }
  /** Everything that is not committed is put away under a backup ref. */
  | { readonly kind: 'discard' }
  /** What is not committed in these files, relative to the top of the work tree; others stay as they are. */
  | { readonly kind: 'commit'; readonly files: readonly string[] | 'all'; readonly message: string }
  | { readonly kind: 'stash'; readonly files: readonly string[]; readonly message: string }
  /** Takes one of the others back: HEAD goes from `head`, where it has to be still, to `commit`, which the ref has kept. */
  | { readonly kind: 'restore'; readonly backup: string; readonly commit: string; readonly head: string }
  /**
   * A work tree's branch comes into what is checked out, but for the files that are `kept` as above; then the work tree goes. `into` is
   * what was checked out when the person was asked, null for no branch; where nobody was, it is merged only into what the run began on.
   */
  | {
      readonly kind: 'merge'
      readonly worktree: Worktree
      readonly kept: readonly string[]
      readonly into?: string | null | undefined
    }
  /** The work tree and its branch go; a ref keeps where the branch was. */
  | { readonly kind: 'throw-away'; readonly worktree: Worktree }
