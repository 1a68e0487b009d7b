/** Names a request, whose sender may send it again within 24 hours and gets the same answer. */
export const idempotencyHeader = 'idempotency-key'
