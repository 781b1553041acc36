import { createContext } from 'react'

export const InDebugArrangement = createContext(false)
