import { consolePages } from '../../shared/console-pages.ts'
import { callErrorText } from '../trpc.ts'
import { useToasts } from '../ui/toasts.ts'
import { signOut } from './auth-calls.ts'

/** Ends the session of this browser. The page is loaded anew, so that nothing of the account stays in it. */
export function useSignOut(): () => Promise<void> {
  const toasts = useToasts()
  return async () => {
    try {
      await signOut()
      location.assign(consolePages.signIn)
    } catch (error) {
      toasts.show('bad', callErrorText(error))
    }
  }
}
