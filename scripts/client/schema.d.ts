/** Made by `npm run client`: what is changed here is lost. */

export interface paths {
    "/health/{serviceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health decision of one service
         * @description An identifier that nobody registered answers UNKNOWN with no live verifiers.
         */
        get: operations["getServiceHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/{serviceId}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why the decision is what it is
         * @description Votes with reason and freshness, reference head, thresholds and advisories.
         */
        get: operations["getServiceHealthDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/{serviceId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transitions, incidents and uptime */
        get: operations["getServiceHealthHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verifiers/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrol a verifier with a one-time token
         * @description Make an Ed25519 key pair, and enrol its public half (32 bytes, in Base64) once, with a token of an operator. `proof` is the Base64 of the signature over the UTF-8 text of verifier-enroll-v1, a line feed, the token, a line feed, and publicKey as it is sent.
         */
        post: operations["enrollVerifier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verifiers/me/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What to probe; waits for a change of what If-None-Match names
         * @description `verifier-signature` is over health-assignments-v1, a line feed, verifier-id, a line feed, and verifier-time. With the `ETag` of the answer before in `If-None-Match` it waits up to 25 s for a change: give the request a longer time-out. Probe the services of one chain at the same time.
         */
        get: operations["getVerifierAssignments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verifiers/me/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A signed batch of observations
         * @description `verifier-signature` is over health-report-v1, a line feed, and the SHA-256 in lowercase hexadecimal of the body, byte for byte and before it is compressed: sign the bytes that are sent, and write them once. At most 1048576 bytes, and one report at a time. The same bytes again are answered like the first time, with `duplicate`, so that a report whose answer was lost can be sent again.
         */
        post: operations["postVerifierReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the API key of this request may do
         * @description Needs no permission: any key that works from here may ask.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/create-api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create query keys
         * @description Creates 1 to 100 query keys, all of them or none. A limit that is not given is the default of this installation. Lists of addresses and domains, the expiration and a limit of `null` (none, whatever the default is) may be left out. A month is any 30 days. Needs the permission Token Create.
         */
        post: operations["createQueryKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/query-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List query keys
         * @description The query keys of the account, the newest first, without their values. Needs the permission Statistics Read or Token Create.
         */
        get: operations["listQueryKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/query-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One query key
         * @description Without its value. Needs the permission Statistics Read or Token Create.
         */
        get: operations["getQueryKey"];
        put?: never;
        post?: never;
        /**
         * Delete a query key
         * @description For good; its statistics stay. Needs the permission Token Create.
         */
        delete: operations["deleteQueryKey"];
        options?: never;
        head?: never;
        /**
         * Change a query key
         * @description Changes what the body names and leaves the rest as it is, and what is sent as it is shown; a limit of null is none. The endpoint cannot be changed. Needs the permission Token Create.
         */
        patch: operations["changeQueryKey"];
        trace?: never;
    };
    "/account/query-keys/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a query key has used of its limits
         * @description Requests and credits in the period that ends now. Needs the permission Statistics Read or Token Create.
         */
        get: operations["getQueryKeyLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/query-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a query key a new value
         * @description The value of now goes on to work for `overlapSeconds`; one before it ends at once. Send an Idempotency-Key: without it a repetition after a lost answer rotates once more. Needs the permission Token Create.
         */
        post: operations["rotateQueryKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List watched services
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listServices"];
        put?: never;
        /**
         * Create a watched service
         * @description For operators: needs the permission Installation.
         */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/services/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a watched service
         * @description For operators: needs the permission Installation.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        /**
         * Delete a watched service
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        /**
         * Change a watched service
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. Of `headers` each is changed by itself, and null removes one; `policy`, `capabilities` and `labels` are replaced. For operators: needs the permission Installation.
         */
        patch: operations["changeService"];
        trace?: never;
    };
    "/admin/verifiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List verifiers
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listVerifiers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/verifiers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a verifier
         * @description For operators: needs the permission Installation.
         */
        get: operations["getVerifier"];
        put?: never;
        post?: never;
        /**
         * Delete a verifier
         * @description Revokes it: what it reports is refused, and what it said counts no more. For operators: needs the permission Installation.
         */
        delete: operations["deleteVerifier"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/verifier-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List enrolment tokens
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listVerifierTokens"];
        put?: never;
        /**
         * Create an enrolment token
         * @description Lets one verifier enrol within an hour. The answer alone has the token itself. For operators: needs the permission Installation.
         */
        post: operations["createVerifierToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/verifier-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an enrolment token
         * @description For operators: needs the permission Installation.
         */
        get: operations["getVerifierToken"];
        put?: never;
        post?: never;
        /**
         * Delete an enrolment token
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteVerifierToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listEndpoints"];
        put?: never;
        /**
         * Create an endpoint
         * @description For operators: needs the permission Installation.
         */
        post: operations["createEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an endpoint
         * @description For operators: needs the permission Installation.
         */
        get: operations["getEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. Lists are replaced as a whole; `keep` names an upstream whose address and headers stay. `chain` is a key, or a chain as it is shown, of which the key counts. For operators: needs the permission Installation.
         */
        patch: operations["changeEndpoint"];
        trace?: never;
    };
    "/admin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Create an account
         * @description For somebody who signs in later. Who waits for approval has an account already: change its `state`. For operators: needs the permission Installation.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an account
         * @description For operators: needs the permission Installation.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Delete an account
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        /**
         * Change an account
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. One field at a time. For operators: needs the permission Installation.
         */
        patch: operations["changeAccount"];
        trace?: never;
    };
    "/admin/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Create an invitation
         * @description The answer alone has the link: it is not stored. For operators: needs the permission Installation.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invitation
         * @description For operators: needs the permission Installation.
         */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        /**
         * Delete an invitation
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a plan
         * @description Accounts get it by a change of theirs (`plan`). For operators: needs the permission Installation.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a plan
         * @description For operators: needs the permission Installation.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        /**
         * Delete a plan
         * @description Refused while accounts have it, or new ones get it. For operators: needs the permission Installation.
         */
        delete: operations["deletePlan"];
        options?: never;
        head?: never;
        /**
         * Change a plan
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. Null takes a field away. Accounts are held to it at once, and nothing of theirs is deleted. For operators: needs the permission Installation.
         */
        patch: operations["changePlan"];
        trace?: never;
    };
    "/admin/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List chains
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listChains"];
        put?: never;
        /**
         * Create a chain
         * @description What is left out is as usual for its family. For operators: needs the permission Installation.
         */
        post: operations["createChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/chains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a chain
         * @description For operators: needs the permission Installation.
         */
        get: operations["getChain"];
        put?: never;
        post?: never;
        /**
         * Delete a chain
         * @description Refused while services or endpoints are of it. For operators: needs the permission Installation.
         */
        delete: operations["deleteChain"];
        options?: never;
        head?: never;
        /**
         * Change a chain
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. Null makes a field what is usual for the family. Built-in chains are changed in the file. For operators: needs the permission Installation.
         */
        patch: operations["changeChain"];
        trace?: never;
    };
    "/admin/allowed-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List allowed addresses
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listAllowedAddresss"];
        put?: never;
        /**
         * Create an allowed address
         * @description Of a name, all private addresses that it has now; the answer shows one of them. For operators: needs the permission Installation.
         */
        post: operations["createAllowedAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/allowed-addresses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an allowed address
         * @description For operators: needs the permission Installation.
         */
        get: operations["getAllowedAddress"];
        put?: never;
        post?: never;
        /**
         * Delete an allowed address
         * @description No connection is opened to it any more; those that are open last until they end. For operators: needs the permission Installation.
         */
        delete: operations["deleteAllowedAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List monthly statements
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/statements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a monthly statement
         * @description For operators: needs the permission Installation.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alert channels
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Create an alert channel
         * @description For operators: needs the permission Installation.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert channel
         * @description For operators: needs the permission Installation.
         */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /**
         * Delete an alert channel
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Change an alert channel
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. `type` names what the channel is and stays; secrets that are not named stay. For operators: needs the permission Installation.
         */
        patch: operations["changeChannel"];
        trace?: never;
    };
    "/admin/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alert rules
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listAlertRules"];
        put?: never;
        /**
         * Create an alert rule
         * @description For operators: needs the permission Installation.
         */
        post: operations["createAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert rule
         * @description For operators: needs the permission Installation.
         */
        get: operations["getAlertRule"];
        put?: never;
        post?: never;
        /**
         * Delete an alert rule
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteAlertRule"];
        options?: never;
        head?: never;
        /**
         * Change an alert rule
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. Null takes a field away, or back to its default. For operators: needs the permission Installation.
         */
        patch: operations["changeAlertRule"];
        trace?: never;
    };
    "/admin/silences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List silences
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listSilences"];
        put?: never;
        /**
         * Create a silence
         * @description About all alerts to which `rule`, `services` and `decisions` apply. For operators: needs the permission Installation.
         */
        post: operations["createSilence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/silences/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a silence
         * @description For operators: needs the permission Installation.
         */
        get: operations["getSilence"];
        put?: never;
        post?: never;
        /**
         * Delete a silence
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteSilence"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List planned work
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listMaintenanceWindows"];
        put?: never;
        /**
         * Create planned work
         * @description Without `services` it is about all; either `once` or `every` says when. For operators: needs the permission Installation.
         */
        post: operations["createMaintenanceWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/maintenance/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get planned work
         * @description For operators: needs the permission Installation.
         */
        get: operations["getMaintenanceWindow"];
        put?: never;
        post?: never;
        /**
         * Delete planned work
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteMaintenanceWindow"];
        options?: never;
        head?: never;
        /**
         * Change planned work
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. Null takes a field away, or back to its default. For operators: needs the permission Installation.
         */
        patch: operations["changeMaintenanceWindow"];
        trace?: never;
    };
    "/admin/status-pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List status pages
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listStatusPages"];
        put?: never;
        /**
         * Create a status page
         * @description For operators: needs the permission Installation.
         */
        post: operations["createStatusPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/status-pages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a status page
         * @description For operators: needs the permission Installation.
         */
        get: operations["getStatusPage"];
        put?: never;
        post?: never;
        /**
         * Delete a status page
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteStatusPage"];
        options?: never;
        head?: never;
        /**
         * Change a status page
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. Lists are replaced as a whole; null takes a field away, or back to its default. For operators: needs the permission Installation.
         */
        patch: operations["changeStatusPage"];
        trace?: never;
    };
    "/admin/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incidents of status pages
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listIncidents"];
        put?: never;
        /**
         * Create an incident of a status page
         * @description An incident, or work that is announced (`maintenance`). Subscribers are told unless `notify` is false. For operators: needs the permission Installation.
         */
        post: operations["createIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an incident of a status page
         * @description For operators: needs the permission Installation.
         */
        get: operations["getIncident"];
        put?: never;
        post?: never;
        /**
         * Delete an incident of a status page
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteIncident"];
        options?: never;
        head?: never;
        /**
         * Change an incident of a status page
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. Adds an update; with `resolved` or `completed` it is over. With If-Match a repeated request adds no second one. For operators: needs the permission Installation.
         */
        patch: operations["changeIncident"];
        trace?: never;
    };
    "/admin/registry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active registry
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listRegistryImports"];
        put?: never;
        /**
         * Create a registry
         * @description Imports a `.tar.gz` archive, in Base64, in its place. One that cannot be used changes nothing. For operators: needs the permission Installation.
         */
        post: operations["createRegistryImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/registry/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a registry
         * @description For operators: needs the permission Installation.
         */
        get: operations["getRegistryImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved connections of the key's account
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listConnections"];
        put?: never;
        /**
         * Create a saved connection of the key's account
         * @description No answer has the secret. Consent to one by OAuth is given in the console. For operators: needs the permission Installation.
         */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a saved connection of the key's account
         * @description For operators: needs the permission Installation.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Delete a saved connection of the key's account
         * @description For operators: needs the permission Installation.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        /**
         * Change a saved connection of the key's account
         * @description Changes what the body names; the rest stays, and so does what is sent as it is shown. One field at a time. For another secret make another connection. For operators: needs the permission Installation.
         */
        patch: operations["changeConnection"];
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description A page; `nextCursor` leads to the next one, and is null on the last. For operators: needs the permission Installation.
         */
        get: operations["listAuditEntrys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an audit entry
         * @description For operators: needs the permission Installation.
         */
        get: operations["getAuditEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/statistics/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage by query key
         * @description Keys that were used in the interval, deleted ones included, in order of time and id. Only keys of the account that the API key belongs to are counted. A call that was just made is in the answer; where an installation has several processes, calls of the others are in it after a second. The interval is widened to whole hours (whole days where it is more than 90 days past, five minutes with `5m`), and the answer says to which.
         */
        get: operations["getKeyStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/statistics/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage by method
         * @description Methods that were called in the interval, in order of time and name. Beyond 200 methods of an endpoint, calls are counted as `other`. Only keys of the account that the API key belongs to are counted. A call that was just made is in the answer; where an installation has several processes, calls of the others are in it after a second. The interval is widened to whole hours (whole days where it is more than 90 days past, five minutes with `5m`), and the answer says to which.
         */
        get: operations["getMethodStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/statistics/key-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Usage by query key and method
         * @description What each key called, in order of time, id and name. Only keys of the account that the API key belongs to are counted. A call that was just made is in the answer; where an installation has several processes, calls of the others are in it after a second. The interval is widened to whole hours (whole days where it is more than 90 days past, five minutes with `5m`), and the answer says to which.
         */
        get: operations["getKeyMethodStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/statistics/classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of calls
         * @description Calls by their class: answered by a node or by the cache, failed, or refused. Only keys of the account that the API key belongs to are counted. A call that was just made is in the answer; where an installation has several processes, calls of the others are in it after a second. The interval is widened to whole hours (whole days where it is more than 90 days past, five minutes with `5m`), and the answer says to which.
         */
        get: operations["getClassStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/statistics/upstreams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests to upstreams
         * @description Every request to a node of the last 48 hours, those of retries and hedged reads included, by what became of it, of the account or of each key. Calls that the cache answered, or that waited for the answer of another call, need none.
         */
        get: operations["getUpstreamStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/statistics/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls of tools
         * @description Calls of tools of tool servers by tool, tool server, or key and agent, in order of time and name. Beyond 200 tools of a tool server in an hour, calls are counted as `other`. Only calls with keys and agents of the account that the API key belongs to are counted. A call that was just made is in the answer; where an installation has several processes, calls of the others are in it after a second.
         */
        get: operations["getToolStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/statistics/tool-outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of calls of tools
         * @description Calls of tools of the last 30 days by tool and by what became of them. Only calls with keys and agents of the account that the API key belongs to are counted. A call that was just made is in the answer; where an installation has several processes, calls of the others are in it after a second.
         */
        get: operations["getToolOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ServiceFactsInput: {
            certificateExpiresAt?: number;
            /** @enum {string|null} */
            certificateProblem?: "EXPIRED" | "SELF_SIGNED" | "WRONG_NAME" | "UNTRUSTED" | null;
            clientVersion?: string;
            finalizedLag?: number;
            safeLag?: number;
            stateDepth?: number | null;
            logRange?: number;
            missingMethods?: string[];
            isSyncing?: boolean;
            syncDistance?: number;
            peers?: number;
            otherChain?: {
                named: string;
                expected: string;
            };
        };
        DeclaredCapabilitiesInput: {
            archive?: boolean;
            lowestBlock?: number;
            logRange?: number;
        };
        /** @enum {string} */
        Decision: "UNKNOWN" | "UP" | "DOWN" | "LATENCY";
        HealthResponse: {
            result: components["schemas"]["HealthResult"];
        };
        HealthResult: {
            /** @description echoes the requested service identifier */
            serviceId: string;
            decision: components["schemas"]["Decision"];
            /**
             * Format: int32
             * @description number of verifiers currently reporting
             */
            liveVerifiers: number;
            /**
             * Format: int64
             * @description average block lag, in blocks
             */
            avgBlocksLatency: number;
            /**
             * Format: int64
             * @description average time lag, in seconds
             */
            avgTimeLatency: number;
            /**
             * Format: int64
             * @description Unix timestamp in seconds
             */
            timestamp: number;
        };
        ErrorResponse: {
            error: components["schemas"]["ErrorDetail"];
        };
        ErrorDetail: {
            /**
             * @description Stable machine-readable reason
             * @example not_found
             */
            code: string;
            /** @description What was wrong, where, and what is allowed */
            message: string;
        };
        ServiceDetails: {
            serviceId: string;
            name: string;
            /** @enum {string} */
            family: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
            chain: string | null;
            provider: string;
            /** @enum {string} */
            managedBy: "file" | "operator";
            decision: components["schemas"]["Decision"];
            /**
             * Format: int64
             * @description Unix second since which the decision holds
             */
            since: number;
            reason: string;
            /** @description the change that the votes ask for: how long they did, and how long they must; with `failures` where so many in a row are enough */
            pending: {
                decision: components["schemas"]["Decision"];
                heldSec: number;
                neededSec: number;
                failures?: {
                    count: number;
                    needed: number;
                };
            } | null;
            quorum: {
                assigned: number;
                needed: number;
            };
            /** @description verifiers assigned, and those that report but joined too recently to be assigned */
            expected: number;
            votes: components["schemas"]["VoteDetails"][];
            /** @description the newest block of the service itself, as the latest probe saw it */
            head: {
                height: number;
                /**
                 * Format: int64
                 * @description timestamp of that block, in seconds
                 */
                timestamp: number;
                /** @description how long ago it was seen */
                ageMs: number;
            } | null;
            reference: {
                height: number;
                /**
                 * Format: int64
                 * @description timestamp of the reference block, in seconds
                 */
                timestamp: number;
                providers: number;
                corroborated: boolean;
            } | null;
            /** @description how far apart the only two providers of a chain are, or two nodes of its only provider; null while they are close, and where more are watched */
            gap: {
                blocks: number;
                /** @description false where the other one is */
                isBehind: boolean;
                /**
                 * Format: int64
                 * @description Unix second since which they are apart
                 */
                since: number;
            } | null;
            /** @description what the last ten probes of each verifier found, second tries included: tries that failed, and answers that were too far behind */
            tries: {
                count: number;
                failed: number;
                behind: number;
            };
            thresholds: {
                /** @description how often a verifier probes; services of a chain are probed together, as often as the most demanding of them asks */
                intervalMs: number;
                timeoutMs: number;
                freshMs: number;
                minLive: number | null;
                /** @enum {string} */
                quorum: "majority" | "bft";
                enterBlocks: number;
                enterSec: number;
                exitRatio: number;
                staleFactor: number;
                maxAgeMs: number;
                maxRttMs: number | null;
                downForMs: number;
                latencyForMs: number;
                upForMs: number;
                maxUpForMs: number;
                flapWindowMs: number;
                deepIntervalMs: number;
                /** @enum {string} */
                rateLimitedIs: "ok" | "bad";
            };
            labels: string[];
            facts: components["schemas"]["ServiceFacts"] | (null);
            /**
             * Format: int64
             * @description Unix second at which the newest of `facts` was reported
             */
            factsAt: number | null;
            declared: components["schemas"]["DeclaredCapabilities"];
            contradictions: ("archive" | "lowestBlock" | "logRange")[];
            advisories: ("FLAPPING" | "CHAIN_STALLED" | "UNCORROBORATED" | "MAINTENANCE" | "HEAD_OLD" | "VERIFIER_SILENT" | "SYNCING" | "CERTIFICATE_EXPIRES" | "CERTIFICATE_REFUSED" | "CAPABILITY_CONTRADICTED")[];
        };
        VoteDetails: {
            verifierId: string;
            region: string;
            /** @enum {string} */
            vote: "OK" | "LAG" | "BAD";
            /** @enum {string|null} */
            reason: "DNS" | "CONNECT" | "TLS" | "TIMEOUT" | "HTTP_4XX" | "RATE_LIMITED" | "HTTP_5XX" | "NOT_JSON" | "RPC_ERROR" | "TOO_LARGE" | "BLOCKED_ADDRESS" | "PAUSED" | "STALE" | "WRONG_CHAIN" | "WRONG_GENESIS" | "FUTURE_HEAD" | "FORKED" | "FAILED" | "INCONSISTENT" | "BLOCKS_BEHIND" | "SECONDS_BEHIND" | "SLOW" | null;
            lagBlocks: number;
            lagSec: number;
            rttMs: number;
            ageMs: number;
            /** @description false while the verifier is ejected */
            counts: boolean;
        };
        ServiceFacts: {
            certificateExpiresAt?: number;
            /** @enum {string|null} */
            certificateProblem?: "EXPIRED" | "SELF_SIGNED" | "WRONG_NAME" | "UNTRUSTED" | null;
            clientVersion?: string;
            finalizedLag?: number;
            safeLag?: number;
            stateDepth?: number | null;
            logRange?: number;
            missingMethods?: string[];
            isSyncing?: boolean;
            syncDistance?: number;
            peers?: number;
            otherChain?: {
                named: string;
                expected: string;
            };
        };
        DeclaredCapabilities: {
            archive?: boolean;
            lowestBlock?: number;
            logRange?: number;
        };
        ServiceHistory: {
            serviceId: string;
            /** @enum {string} */
            range: "15m" | "1h" | "6h" | "24h" | "7d" | "30d" | "90d";
            /**
             * Format: int64
             * @description Unix seconds
             */
            from: number;
            /**
             * Format: int64
             * @description Unix seconds
             */
            to: number;
            uptime: {
                /** @description (UP + LATENCY) / (total − not watched − UNKNOWN − maintenance) */
                availability: number | null;
                /** @description UP / (total − not watched − UNKNOWN − maintenance) */
                healthy: number | null;
                /** @description UNKNOWN / (total − not watched − maintenance) */
                unknownShare: number | null;
                /** @description time of the range since the first decision */
                watchedMs: number;
            };
            bar: {
                /**
                 * Format: int64
                 * @description start of the part, Unix seconds
                 */
                at: number;
                upMs: number;
                latencyMs: number;
                downMs: number;
                unknownMs: number;
                maintenanceMs: number;
                notWatchedMs: number;
            }[];
            transitions: {
                /**
                 * Format: int64
                 * @description Unix seconds
                 */
                at: number;
                from: components["schemas"]["Decision"];
                to: components["schemas"]["Decision"];
                reason: string;
            }[];
            incidents: {
                /**
                 * Format: int64
                 * @description Unix seconds
                 */
                openedAt: number;
                /**
                 * Format: int64
                 * @description Unix seconds
                 */
                closedAt: number | null;
                /** @enum {string} */
                worst: "LATENCY" | "DOWN";
                cause: string;
                transitions: number;
                /** @description why, each in one sentence, and since when: the first one, and the newest of those that followed */
                reasons: {
                    /**
                     * Format: int64
                     * @description Unix seconds
                     */
                    at: number;
                    decision: components["schemas"]["Decision"];
                    reason: string;
                }[];
                /** @description how many were left out after the first of `reasons` */
                reasonsLeftOut: number;
            }[];
            buckets: {
                /**
                 * Format: int64
                 * @description start of the bucket, Unix seconds
                 */
                at: number;
                upMs: number;
                latencyMs: number;
                downMs: number;
                probes: number;
                failures: number;
                lagBlocksAvg: number;
                lagBlocksMax: number;
                lagSecAvg: number;
                rttP50Ms: number;
                rttP95Ms: number;
            }[];
        };
        ShownApiKey: {
            id: string;
            /**
             * @description the Token name
             * @example CI
             */
            name: string;
            permissions: ("statistics_read" | "token_create" | "gateway_use" | "installation")[];
            /** @description addresses and networks from which it works; empty: any */
            allowedIps: string[];
            /** @description domains from whose pages it works; empty: any */
            allowedDomains: string[];
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null: never
             */
            expiresAt: string | null;
        };
        CreatedQueryKey: {
            id: string;
            /** @description the value of the key: shown here once */
            key: string;
            name: string;
            type: string;
            endpoint: string;
            /** @description where JSON-RPC calls go, the key included */
            url: string;
            /** @description null: no limit */
            rateLimit: number | null;
            /**
             * @description Length of the rolling interval; a month is 30 days
             * @example minute
             * @enum {string|null}
             */
            rateLimitPeriod: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description null: no limit */
            creditsLimit: number | null;
            /**
             * @description Length of the rolling interval; a month is 30 days
             * @example minute
             * @enum {string|null}
             */
            creditsLimitPeriod: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
            allowedIps: string[];
            allowedDomains: string[];
            allowedMethods: string[];
            allowedContracts: string[];
            moreEndpoints: string[];
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
        };
        QueryKey: {
            id: string;
            name: string;
            type: string;
            endpoint: string;
            /** @description null: no limit */
            rateLimit: number | null;
            /**
             * @description Length of the rolling interval; a month is 30 days
             * @example minute
             * @enum {string|null}
             */
            rateLimitPeriod: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description null: no limit */
            creditsLimit: number | null;
            /**
             * @description Length of the rolling interval; a month is 30 days
             * @example minute
             * @enum {string|null}
             */
            creditsLimitPeriod: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description addresses and networks from which it works; empty: any */
            allowedIps: string[];
            /** @description domains from whose pages it works; empty: any */
            allowedDomains: string[];
            /** @description methods that it may call; empty: all of the endpoint */
            allowedMethods: string[];
            /** @description contracts that its calls may name; empty: any */
            allowedContracts: string[];
            /** @description further endpoints at which it works; empty: only `endpoint` */
            moreEndpoints: string[];
            enabled: boolean;
            /**
             * @description expired is an end, whether the key is enabled or not
             * @enum {string}
             */
            state: "enabled" | "disabled" | "expired";
            /** @description prefix and last four characters of the value */
            hint: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description until then the request log keeps the parameters of its calls; null: it does not
             */
            debugEndsAt: string | null;
            /**
             * Format: date-time
             * @description to the minute; null: not yet
             */
            lastUsedAt: string | null;
            /** @description the value before the last rotation, while it still works */
            previous: {
                hint: string;
                /** Format: date-time */
                endsAt: string;
            } | null;
        };
        ChangedQueryKey: {
            id: string;
            name: string;
            type: string;
            endpoint: string;
            /** @description null: no limit */
            rateLimit: number | null;
            /**
             * @description Length of the rolling interval; a month is 30 days
             * @example minute
             * @enum {string|null}
             */
            rateLimitPeriod: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description null: no limit */
            creditsLimit: number | null;
            /**
             * @description Length of the rolling interval; a month is 30 days
             * @example minute
             * @enum {string|null}
             */
            creditsLimitPeriod: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description addresses and networks from which it works; empty: any */
            allowedIps: string[];
            /** @description domains from whose pages it works; empty: any */
            allowedDomains: string[];
            /** @description methods that it may call; empty: all of the endpoint */
            allowedMethods: string[];
            /** @description contracts that its calls may name; empty: any */
            allowedContracts: string[];
            /** @description further endpoints at which it works; empty: only `endpoint` */
            moreEndpoints: string[];
            enabled: boolean;
            /**
             * @description expired is an end, whether the key is enabled or not
             * @enum {string}
             */
            state: "enabled" | "disabled" | "expired";
            /** @description prefix and last four characters of the value */
            hint: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description until then the request log keeps the parameters of its calls; null: it does not
             */
            debugEndsAt: string | null;
            /**
             * Format: date-time
             * @description to the minute; null: not yet
             */
            lastUsedAt: string | null;
            /** @description the value before the last rotation, while it still works */
            previous: {
                hint: string;
                /** Format: date-time */
                endsAt: string;
            } | null;
            /** @description false: a process has not confirmed the change yet, and may use the key as it was */
            propagated: boolean;
        };
        RotatedQueryKey: {
            id: string;
            name: string;
            type: string;
            endpoint: string;
            /** @description null: no limit */
            rateLimit: number | null;
            /**
             * @description Length of the rolling interval; a month is 30 days
             * @example minute
             * @enum {string|null}
             */
            rateLimitPeriod: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description null: no limit */
            creditsLimit: number | null;
            /**
             * @description Length of the rolling interval; a month is 30 days
             * @example minute
             * @enum {string|null}
             */
            creditsLimitPeriod: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
            /** @description addresses and networks from which it works; empty: any */
            allowedIps: string[];
            /** @description domains from whose pages it works; empty: any */
            allowedDomains: string[];
            /** @description methods that it may call; empty: all of the endpoint */
            allowedMethods: string[];
            /** @description contracts that its calls may name; empty: any */
            allowedContracts: string[];
            /** @description further endpoints at which it works; empty: only `endpoint` */
            moreEndpoints: string[];
            enabled: boolean;
            /**
             * @description expired is an end, whether the key is enabled or not
             * @enum {string}
             */
            state: "enabled" | "disabled" | "expired";
            /** @description prefix and last four characters of the value */
            hint: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description until then the request log keeps the parameters of its calls; null: it does not
             */
            debugEndsAt: string | null;
            /**
             * Format: date-time
             * @description to the minute; null: not yet
             */
            lastUsedAt: string | null;
            /** @description the value before the last rotation, while it still works */
            previous: {
                hint: string;
                /** Format: date-time */
                endsAt: string;
            } | null;
            /** @description false: a process has not confirmed the change yet, and may use the key as it was */
            propagated: boolean;
            /** @description the new value: shown here once */
            key: string;
            /** @description where JSON-RPC calls go, the new value included */
            url: string;
        };
        Service: {
            id: string;
            name: string;
            /** @enum {string} */
            family: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
            chain: string | null;
            provider: string;
            readonly labels: string[];
            objective: number | null;
            /**
             * @description what the file declares is changed there and nowhere else
             * @enum {string}
             */
            managedBy: "file" | "operator";
            endpointOrigin: string;
            webSocketOrigin: string | null;
            headerNames: string[];
            hasCa: boolean;
            rule: {
                /**
                 * @default GET
                 * @enum {string}
                 */
                method: "GET" | "HEAD" | "POST";
                /**
                 * @default [
                 *       200
                 *     ]
                 */
                statuses: number[];
                contains?: string;
                matches?: string;
                json?: {
                    path: string;
                    equals?: string | number | boolean | (null);
                    min?: number;
                    max?: number;
                };
                body?: string;
                redirects?: number;
            } | null;
            capabilities: components["schemas"]["DeclaredCapabilities"];
            policy: {
                /** @description how often a verifier probes; services of a chain are probed together, as often as the most demanding of them asks */
                intervalMs?: number;
                timeoutMs?: number;
                freshMs?: number;
                minLive?: number | null;
                /** @enum {string} */
                quorum?: "majority" | "bft";
                enterBlocks?: number;
                enterSec?: number;
                exitRatio?: number;
                staleFactor?: number;
                maxAgeMs?: number;
                maxRttMs?: number | null;
                downForMs?: number;
                latencyForMs?: number;
                upForMs?: number;
                maxUpForMs?: number;
                flapWindowMs?: number;
                deepIntervalMs?: number;
                /** @enum {string} */
                rateLimitedIs?: "ok" | "bad";
            };
            defaultPolicy: {
                /** @description how often a verifier probes; services of a chain are probed together, as often as the most demanding of them asks */
                intervalMs: number;
                timeoutMs: number;
                freshMs: number;
                minLive: number | null;
                /** @enum {string} */
                quorum: "majority" | "bft";
                enterBlocks: number;
                enterSec: number;
                exitRatio: number;
                staleFactor: number;
                maxAgeMs: number;
                maxRttMs: number | null;
                downForMs: number;
                latencyForMs: number;
                upForMs: number;
                maxUpForMs: number;
                flapWindowMs: number;
                deepIntervalMs: number;
                /** @enum {string} */
                rateLimitedIs: "ok" | "bad";
            };
        };
        Verifier: {
            id: string;
            name: string;
            region: string;
            version: string;
            families: ("evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp")[];
            isBuiltIn: boolean;
            /** @description epoch milliseconds */
            createdAt: number;
            /** @description epoch milliseconds */
            lastSeenAt: number | null;
            /** @description from then on it is silent unless it reports before; null: it has never reported, or has no service to probe */
            silentAt: number | null;
            /** @description silent for three days: it counts for no quorum until it reports again */
            isSetAside: boolean;
            /** @description by its own account cut off from the network */
            isIsolated: boolean;
            /** @description it contradicts the others too often to be counted */
            isEjected: boolean;
            /** @description of some chain it sees an old head */
            hasStaleView: boolean;
        };
        VerifierToken: {
            id: string;
            label: string;
            /** @description epoch milliseconds */
            expiresAt: number;
        };
        CreatedVerifierToken: {
            id: string;
            label: string;
            /** @description epoch milliseconds */
            expiresAt: number;
            /** @description its value: shown once */
            token: string;
        };
        Endpoint: {
            name: string;
            chain: {
                key: string;
                name: string;
            };
            /** @enum {string} */
            family: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
            /**
             * @description what the file declares is changed there and nowhere else
             * @enum {string}
             */
            managedBy: "file" | "operator";
            /** @description where calls go, with {key} in the place of the key */
            url: string;
            webSocketUrl: string;
            upstreams: {
                id: string;
                serviceId: string | null;
                host: string | null;
                webSocketHost: string | null;
                headerNames: string[];
                weight: number;
                tier: number;
                budget: "auto" | {
                    requests?: number;
                    credits?: number;
                    per: ("day" | "month") | number;
                } | (null);
                compression: boolean | null;
                budgetUse: {
                    /** @enum {string} */
                    unit: "requests" | "credits";
                    used: number;
                    amount: number | null;
                    /** @description epoch milliseconds */
                    endsAt: number;
                } | null;
                decision: components["schemas"]["Decision"] | (null);
                outBecause: string | null;
            }[];
            problem: string | null;
            methods: {
                /** @default [] */
                allow: string[];
                /** @default [] */
                deny: string[];
                /**
                 * @default refuse
                 * @enum {string}
                 */
                unknown: "refuse" | "allow";
            };
            credits: {
                [key: string]: number;
            };
            settings: {
                firstByteMs?: number;
                totalMs?: number;
                attempts?: number;
                hedge?: ("off" | "p50" | "p75" | "p90" | "p95" | "p99") | number;
                answerBytes?: number;
                bodyBytes?: number;
                /** @enum {string} */
                cache?: "all" | "final" | "off";
                transactionNodes?: number;
                logBlocks?: number;
                /** @default {} */
                byMethod: {
                    [key: string]: {
                        firstByteMs?: number;
                        totalMs?: number;
                        attempts?: number;
                        hedge?: ("off" | "p50" | "p75" | "p90" | "p95" | "p99") | number;
                        answerBytes?: number;
                        bodyBytes?: number;
                        cacheFor?: string;
                    };
                };
            };
            revision: string | null;
        };
        Account: {
            id: string;
            /** @enum {string} */
            kind: "person" | "team";
            /** @enum {string} */
            role: "account" | "operator";
            /** @enum {string} */
            state: "active" | "pending" | "disabled";
            /** @description epoch milliseconds */
            createdAt: number;
            contact: {
                name: string | null;
                email: string | null;
            } | null;
            identities: {
                id: string;
                /** @enum {string} */
                kind: "wallet" | "github" | "google" | "oidc";
                subject: string;
                label: string | null;
                /** @description epoch milliseconds */
                linkedAt: number;
            }[];
            plan: string | null;
            /** @description epoch milliseconds */
            lastSeenAt: number | null;
            queryKeys: number;
            apiKeys: number;
            /** @description of the last seven days, some minutes behind */
            calls: number;
            /** @description likewise */
            credits: number;
        };
        Invitation: {
            id: string;
            note: string;
            /** @description who alone can use it; null: whoever has the link */
            for: string | null;
            /** @enum {string} */
            state: "open" | "used" | "over";
            /** @description epoch milliseconds */
            createdAt: number;
            /** @description who made it, as the audit log calls them */
            createdBy: string;
            /** @description epoch milliseconds */
            expiresAt: number;
            /** @description epoch milliseconds */
            usedAt: number | null;
            /** @description the id of the account that used it */
            usedBy: string | null;
        };
        CreatedInvitation: {
            id: string;
            note: string;
            /** @description who alone can use it; null: whoever has the link */
            for: string | null;
            /** @enum {string} */
            state: "open" | "used" | "over";
            /** @description epoch milliseconds */
            createdAt: number;
            /** @description who made it, as the audit log calls them */
            createdBy: string;
            /** @description epoch milliseconds */
            expiresAt: number;
            /** @description epoch milliseconds */
            usedAt: number | null;
            /** @description the id of the account that used it */
            usedBy: string | null;
            /** @description for the person who is invited: shown once */
            link: string;
        };
        Plan: {
            name: string;
            maxKeys?: number;
            keyMost?: {
                rate?: string;
                credits?: string;
            };
            totalMost?: {
                rate?: string;
                credits?: string;
            };
            /**
             * @description further endpoints at which it works, with the same limits: names, or beginnings and `*`; none: only `endpoint`
             * @example [
             *       "eth-*"
             *     ]
             */
            endpoints?: string[];
            /**
             * @description methods that it may call, `*` at the end stands for the rest of a name; none: all of the endpoint
             * @example [
             *       "eth_call",
             *       "eth_get*"
             *     ]
             */
            methods?: string[];
            keyDays?: number;
            /**
             * @description what the file declares is changed there and nowhere else
             * @enum {string}
             */
            managedBy: "file" | "operator";
            accounts: number;
            isForSignUp: boolean;
        };
        Chain: {
            key: string;
            name: string;
            /** @enum {string} */
            family: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
            chainId: number | string | (null);
            genesisHash: string | null;
            blockMs: number;
            futureTolSec: number;
            /** @enum {string} */
            headAge: "slot" | "pow" | "idle" | "none";
            finalityDepth: number;
            /** @default [] */
            anchors: {
                provider: string;
                /** Format: uri */
                endpoint: string;
            }[];
            /** @enum {string} */
            managedBy: "product" | "file" | "operator";
            services: number;
            endpoints: number;
        };
        AllowedAddress: {
            address: string;
            /** @description the name that resolved to it when it was allowed */
            name: string | null;
            allowedBy: string;
            /** @description epoch milliseconds */
            allowedAt: number;
        };
        Statement: {
            id: string;
            month: string;
            account: string;
            /** @description in a list some minutes behind */
            calls: number;
            credits: number;
            /** @description of one statement: a line for each key, and the sum of all */
            csv?: string;
        };
        Channel: {
            name: string;
            /** @enum {string} */
            type: "webhook" | "slack" | "telegram" | "pagerduty" | "email" | "alertmanager";
            /**
             * @description what the file declares is changed there and nowhere else
             * @enum {string}
             */
            managedBy: "file" | "operator";
            /** @description where it goes, for people, without what is secret */
            target: string;
            quietHours: {
                from: string;
                to: string;
                /**
                 * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                 * @default UTC
                 * @example Asia/Kolkata
                 */
                zone: string;
                days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            } | null;
            settings: {
                [key: string]: string | string[];
            };
            /** @description messages of the last 30 days */
            sent: number;
            waiting: number;
            dead: number;
            /** @description epoch milliseconds */
            lastSentAt: number | null;
        };
        CreatedChannel: {
            name: string;
            /** @enum {string} */
            type: "webhook" | "slack" | "telegram" | "pagerduty" | "email" | "alertmanager";
            /**
             * @description what the file declares is changed there and nowhere else
             * @enum {string}
             */
            managedBy: "file" | "operator";
            /** @description where it goes, for people, without what is secret */
            target: string;
            quietHours: {
                from: string;
                to: string;
                /**
                 * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                 * @default UTC
                 * @example Asia/Kolkata
                 */
                zone: string;
                days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            } | null;
            settings: {
                [key: string]: string | string[];
            };
            /** @description messages of the last 30 days */
            sent: number;
            waiting: number;
            dead: number;
            /** @description epoch milliseconds */
            lastSentAt: number | null;
            /** @description the secret of a webhook that was made here: shown once */
            secret: string | null;
        };
        AlertRule: {
            name: string;
            when: {
                decision: components["schemas"]["Decision"][];
                /**
                 * @default 0s
                 * @example 10m
                 */
                for: string;
            } | {
                /** @enum {boolean} */
                change: true;
            } | {
                flapping: {
                    /** @default 6 */
                    changes: number;
                    /**
                     * @default 1h
                     * @example 10m
                     */
                    within: string;
                };
            } | {
                verifier: ("gone" | "isolated")[];
                /**
                 * @default 0s
                 * @example 10m
                 */
                for: string;
            } | {
                certificate: {
                    /**
                     * @default 14d
                     * @example 10m
                     */
                    within: string;
                };
            } | {
                keyEnds: {
                    /**
                     * @default 14d
                     * @example 10m
                     */
                    within: string;
                };
            } | {
                keyLimit: {
                    /** @default 80 */
                    percent: number;
                };
            } | {
                budget: {
                    /**
                     * @default account
                     * @enum {string}
                     */
                    of: "account" | "key";
                    id?: string;
                    /**
                     * @default credits
                     * @enum {string}
                     */
                    measure: "credits" | "calls";
                    units: number;
                    /** @default 100 */
                    percent: number;
                };
            } | {
                installation: ("usage" | "limits" | "database")[];
                /**
                 * @default 0s
                 * @example 10m
                 */
                for: string;
            } | {
                /** @enum {string} */
                tools: "changed";
            } | {
                account: ("new operator" | "new place")[];
            };
            services?: {
                id?: string | string[];
                chain?: string | string[];
                provider?: string | string[];
                label?: string | string[];
            };
            /** @default [] */
            channels: string[];
            /** @example 10m */
            repeat?: string;
            /** @default true */
            enabled: boolean;
            /** @enum {string} */
            managedBy: "file" | "operator" | "default";
            firing: number;
            /** @description epoch milliseconds */
            lastFiredAt: number | null;
        };
        Silence: {
            rule?: string;
            services?: {
                id?: string | string[];
                chain?: string | string[];
                provider?: string | string[];
                label?: string | string[];
            };
            decisions?: components["schemas"]["Decision"][];
            /** @description epoch milliseconds */
            until: number;
            /** @default  */
            reason: string;
            id: string;
            /** @description epoch milliseconds */
            createdAt: number;
            /** @description who made it, as the audit log calls them */
            createdBy: string;
        };
        MaintenanceWindow: {
            name: string;
            services?: {
                id?: string | string[];
                chain?: string | string[];
                provider?: string | string[];
                label?: string | string[];
            };
            /** @default  */
            reason: string;
            once?: {
                /** @description epoch milliseconds */
                from: number;
                /** @description epoch milliseconds */
                to: number;
            };
            every?: {
                from: string;
                to: string;
                /**
                 * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                 * @default UTC
                 * @example Asia/Kolkata
                 */
                zone: string;
                days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            };
            /**
             * @description what the file declares is changed there and nowhere else
             * @enum {string}
             */
            managedBy: "file" | "operator";
            isUnderWay: boolean;
            /** @description of what is under way or comes next */
            startsAt: number | null;
            /** @description epoch milliseconds */
            endsAt: number | null;
        };
        StatusPage: {
            /** @example main */
            page: string;
            title: string;
            /** @default true */
            published: boolean;
            /** @default true */
            listed: boolean;
            logo?: string;
            /** @default [] */
            hosts: string[];
            emailChannel?: string;
            webhooks?: boolean;
            groups: {
                name: string;
                services: {
                    /**
                     * @description the service identifier to query
                     * @example node-a
                     */
                    id: string;
                    as?: string;
                }[];
            }[];
            /**
             * @description what the file declares is changed there and nowhere else
             * @enum {string}
             */
            managedBy: "file" | "operator";
            url: string;
            previewUrl: string | null;
            /** @description epoch milliseconds */
            updatedAt: number | null;
        };
        Incident: {
            id: string;
            page: string;
            /** @enum {string} */
            kind: "incident" | "maintenance";
            title: string;
            services: string[];
            /** @description epoch milliseconds */
            startsAt: number;
            /** @description epoch milliseconds */
            endsAt: number | null;
            isOver: boolean;
            /** @description the oldest first; at least one */
            updates: {
                /** @description epoch milliseconds */
                at: number;
                /** @enum {string} */
                stage: "investigating" | "identified" | "monitoring" | "resolved" | "planned" | "under_way" | "completed";
                text: string;
            }[];
        };
        Registry: {
            version: string;
            /** @description what was imported; `built-in`: the product's own */
            origin: string;
            /** @description epoch milliseconds */
            importedAt: number | null;
            counts: {
                networks: number;
                rows: number;
                pairs: number;
                providers: number;
                offers: number;
                listings: number;
                mcpServers: number;
                leftOut: number;
                changed: number;
            };
            /** @description where the file says that it comes from, and how the latest look went */
            source: {
                address: string;
                /** @description epoch milliseconds */
                nextCheckAt: number | null;
                problem: string | null;
            } | null;
        };
        ImportedRegistry: {
            version: string;
            /** @description what was imported; `built-in`: the product's own */
            origin: string;
            /** @description epoch milliseconds */
            importedAt: number | null;
            counts: {
                networks: number;
                rows: number;
                pairs: number;
                providers: number;
                offers: number;
                listings: number;
                mcpServers: number;
                leftOut: number;
                changed: number;
            };
            /** @description where the file says that it comes from, and how the latest look went */
            source: {
                address: string;
                /** @description epoch milliseconds */
                nextCheckAt: number | null;
                problem: string | null;
            } | null;
            /** @description rows that were left out or changed; the first 1,000 */
            problems: {
                file: string;
                line: number | null;
                reason: string;
                /** @enum {string} */
                effect: "left_out" | "changed";
            }[];
        };
        Connection: {
            id: string;
            /** @enum {string} */
            kind: "saved" | "session" | "public";
            serviceId: string;
            chain: string;
            category: string;
            provider: string | null;
            name: string;
            endpoint: string;
            /** @enum {string} */
            transport: "http" | "sse";
            /** @enum {string} */
            authType: "none" | "api_key" | "oauth";
            /** @enum {string} */
            authSource: "none" | "session_bag" | "request_header" | "bound_token" | "saved_connection";
            /** @enum {string} */
            status: "new" | "connected" | "auth_required" | "consent_needed" | "unreachable" | "origin_changed" | "service_gone";
            label: string | null;
            headerName: string | null;
            createdAt: number | null;
            lastUsedAt: number | null;
            contentKeptUntil: number | null;
            changedTools: string[];
            flaggedTools: string[];
            use: {
                /** @enum {string} */
                onChange: "warn" | "block";
                resultBytes: number;
                showsSecrets: boolean;
            };
            oauth: {
                issuerHost: string | null;
                scopes: string[];
                lackedScopes: string[];
                consentedAt: number | null;
            } | null;
        };
        AuditEntry: {
            seq: number;
            /** @description epoch milliseconds */
            at: number;
            actor: string;
            actorLabel: string;
            action: string;
            subjectKind: string;
            subjectId: string;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            ip: string | null;
            requestId: string | null;
            previousHash: string;
            hash: string;
        };
        /**
         * @example {
         *       "from": "2026-01-01T12:00:00.000Z",
         *       "to": "2026-01-31T12:00:00.000Z",
         *       "granularity": "total",
         *       "asOf": "2026-01-31T11:42:07.210Z",
         *       "items": [
         *         {
         *           "keyId": "qkey_0f3a5c7e9b1d2f4a6c8e0b1d",
         *           "name": "wallet backend",
         *           "keyHint": "gqk_…9f3K",
         *           "endpoint": "testnet",
         *           "requests": 1110,
         *           "credits": 28860,
         *           "ok": 1104,
         *           "errors": 6,
         *           "rateLimited": 12,
         *           "creditLimited": 0,
         *           "bytesIn": 133200,
         *           "bytesOut": 333000,
         *           "p50Ms": 4.07,
         *           "p99Ms": 81.5,
         *           "lastUsedAt": "2026-01-31T11:42:00.000Z"
         *         }
         *       ],
         *       "totals": {
         *         "requests": 1110,
         *         "credits": 28860,
         *         "ok": 1104,
         *         "errors": 6,
         *         "rateLimited": 12,
         *         "creditLimited": 0,
         *         "bytesIn": 133200,
         *         "bytesOut": 333000,
         *         "p50Ms": 4.07,
         *         "p99Ms": 81.5
         *       },
         *       "nextCursor": null
         *     }
         */
        KeyStatisticsAnswer: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            granularity: "total" | "5m" | "hour" | "day";
            /**
             * Format: date-time
             * @description calls that were counted before this instant are in the answer
             */
            asOf: string;
            items: components["schemas"]["KeyStatistics"][];
            totals: {
                /** @description calls that were admitted; each call of a batch is one */
                requests: number;
                /** @description credits charged: those of calls that no upstream answered were given back */
                credits: number;
                /** @description answered with a result */
                ok: number;
                /** @description answered with a JSON-RPC error, or by no upstream */
                errors: number;
                /** @description calls refused by the rate limit */
                rateLimited: number;
                /** @description calls refused by the credits limit */
                creditLimited: number;
                bytesIn: number;
                bytesOut: number;
                /** @description null: no call was answered */
                p50Ms: number | null;
                /** @description null: no call was answered */
                p99Ms: number | null;
            };
            nextCursor: string | null;
        };
        KeyStatistics: {
            /** @description calls that were admitted; each call of a batch is one */
            requests: number;
            /** @description credits charged: those of calls that no upstream answered were given back */
            credits: number;
            /** @description answered with a result */
            ok: number;
            /** @description answered with a JSON-RPC error, or by no upstream */
            errors: number;
            /** @description calls refused by the rate limit */
            rateLimited: number;
            /** @description calls refused by the credits limit */
            creditLimited: number;
            bytesIn: number;
            bytesOut: number;
            /** @description null: no call was answered */
            p50Ms: number | null;
            /** @description null: no call was answered */
            p99Ms: number | null;
            keyId: string;
            name: string;
            keyHint: string;
            endpoint: string;
            /**
             * Format: date-time
             * @description to the minute
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description beginning of the five minutes, hour or day; absent for total
             */
            bucket?: string;
        };
        /**
         * @example {
         *       "from": "2026-01-01T12:00:00.000Z",
         *       "to": "2026-01-31T12:00:00.000Z",
         *       "granularity": "total",
         *       "asOf": "2026-01-31T11:42:07.210Z",
         *       "items": [
         *         {
         *           "method": "eth_call",
         *           "requests": 1110,
         *           "credits": 28860,
         *           "ok": 1104,
         *           "errors": 6,
         *           "rateLimited": 12,
         *           "creditLimited": 0,
         *           "bytesIn": 133200,
         *           "bytesOut": 333000,
         *           "p50Ms": 4.07,
         *           "p99Ms": 81.5,
         *           "lastUsedAt": "2026-01-31T11:42:00.000Z"
         *         }
         *       ],
         *       "totals": {
         *         "requests": 1110,
         *         "credits": 28860,
         *         "ok": 1104,
         *         "errors": 6,
         *         "rateLimited": 12,
         *         "creditLimited": 0,
         *         "bytesIn": 133200,
         *         "bytesOut": 333000,
         *         "p50Ms": 4.07,
         *         "p99Ms": 81.5
         *       },
         *       "nextCursor": null
         *     }
         */
        MethodStatisticsAnswer: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            granularity: "total" | "5m" | "hour" | "day";
            /**
             * Format: date-time
             * @description calls that were counted before this instant are in the answer
             */
            asOf: string;
            items: components["schemas"]["MethodStatistics"][];
            totals: {
                /** @description calls that were admitted; each call of a batch is one */
                requests: number;
                /** @description credits charged: those of calls that no upstream answered were given back */
                credits: number;
                /** @description answered with a result */
                ok: number;
                /** @description answered with a JSON-RPC error, or by no upstream */
                errors: number;
                /** @description calls refused by the rate limit */
                rateLimited: number;
                /** @description calls refused by the credits limit */
                creditLimited: number;
                bytesIn: number;
                bytesOut: number;
                /** @description null: no call was answered */
                p50Ms: number | null;
                /** @description null: no call was answered */
                p99Ms: number | null;
            };
            nextCursor: string | null;
        };
        MethodStatistics: {
            /** @description calls that were admitted; each call of a batch is one */
            requests: number;
            /** @description credits charged: those of calls that no upstream answered were given back */
            credits: number;
            /** @description answered with a result */
            ok: number;
            /** @description answered with a JSON-RPC error, or by no upstream */
            errors: number;
            /** @description calls refused by the rate limit */
            rateLimited: number;
            /** @description calls refused by the credits limit */
            creditLimited: number;
            bytesIn: number;
            bytesOut: number;
            /** @description null: no call was answered */
            p50Ms: number | null;
            /** @description null: no call was answered */
            p99Ms: number | null;
            method: string;
            /**
             * Format: date-time
             * @description to the minute
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description beginning of the five minutes, hour or day; absent for total
             */
            bucket?: string;
        };
        /**
         * @example {
         *       "from": "2026-01-01T12:00:00.000Z",
         *       "to": "2026-01-31T12:00:00.000Z",
         *       "granularity": "total",
         *       "asOf": "2026-01-31T11:42:07.210Z",
         *       "items": [
         *         {
         *           "keyId": "qkey_0f3a5c7e9b1d2f4a6c8e0b1d",
         *           "name": "wallet backend",
         *           "keyHint": "gqk_…9f3K",
         *           "endpoint": "testnet",
         *           "method": "eth_call",
         *           "requests": 1110,
         *           "credits": 28860,
         *           "ok": 1104,
         *           "errors": 6,
         *           "rateLimited": 12,
         *           "creditLimited": 0,
         *           "bytesIn": 133200,
         *           "bytesOut": 333000,
         *           "p50Ms": 4.07,
         *           "p99Ms": 81.5,
         *           "lastUsedAt": "2026-01-31T11:42:00.000Z"
         *         }
         *       ],
         *       "totals": {
         *         "requests": 1110,
         *         "credits": 28860,
         *         "ok": 1104,
         *         "errors": 6,
         *         "rateLimited": 12,
         *         "creditLimited": 0,
         *         "bytesIn": 133200,
         *         "bytesOut": 333000,
         *         "p50Ms": 4.07,
         *         "p99Ms": 81.5
         *       },
         *       "nextCursor": null
         *     }
         */
        KeyMethodStatisticsAnswer: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            granularity: "total" | "5m" | "hour" | "day";
            /**
             * Format: date-time
             * @description calls that were counted before this instant are in the answer
             */
            asOf: string;
            items: components["schemas"]["KeyMethodStatistics"][];
            totals: {
                /** @description calls that were admitted; each call of a batch is one */
                requests: number;
                /** @description credits charged: those of calls that no upstream answered were given back */
                credits: number;
                /** @description answered with a result */
                ok: number;
                /** @description answered with a JSON-RPC error, or by no upstream */
                errors: number;
                /** @description calls refused by the rate limit */
                rateLimited: number;
                /** @description calls refused by the credits limit */
                creditLimited: number;
                bytesIn: number;
                bytesOut: number;
                /** @description null: no call was answered */
                p50Ms: number | null;
                /** @description null: no call was answered */
                p99Ms: number | null;
            };
            nextCursor: string | null;
        };
        KeyMethodStatistics: {
            /** @description calls that were admitted; each call of a batch is one */
            requests: number;
            /** @description credits charged: those of calls that no upstream answered were given back */
            credits: number;
            /** @description answered with a result */
            ok: number;
            /** @description answered with a JSON-RPC error, or by no upstream */
            errors: number;
            /** @description calls refused by the rate limit */
            rateLimited: number;
            /** @description calls refused by the credits limit */
            creditLimited: number;
            bytesIn: number;
            bytesOut: number;
            /** @description null: no call was answered */
            p50Ms: number | null;
            /** @description null: no call was answered */
            p99Ms: number | null;
            keyId: string;
            name: string;
            keyHint: string;
            endpoint: string;
            /**
             * Format: date-time
             * @description to the minute
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description beginning of the five minutes, hour or day; absent for total
             */
            bucket?: string;
            method: string;
        };
        /**
         * @example {
         *       "from": "2026-01-31T10:00:00.000Z",
         *       "to": "2026-01-31T12:00:00.000Z",
         *       "asOf": "2026-01-31T11:42:07.210Z",
         *       "granularity": "hour",
         *       "items": [
         *         {
         *           "bucket": "2026-01-31T11:00:00.000Z",
         *           "answered": 1000,
         *           "cached": 104,
         *           "nodeErrors": 4,
         *           "unanswered": 2,
         *           "rateLimited": 12,
         *           "creditLimited": 0,
         *           "underWay": 0
         *         }
         *       ],
         *       "totals": {
         *         "answered": 1000,
         *         "cached": 104,
         *         "nodeErrors": 4,
         *         "unanswered": 2,
         *         "rateLimited": 12,
         *         "creditLimited": 0,
         *         "underWay": 0
         *       }
         *     }
         */
        ClassStatisticsAnswer: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            granularity: "total" | "5m" | "hour" | "day";
            /** Format: date-time */
            asOf: string;
            items: {
                /** Format: date-time */
                bucket: string;
                /** @description answered by a node with a result */
                answered: number;
                /** @description answered with a result of the cache */
                cached: number;
                /** @description answered by a node with a JSON-RPC error */
                nodeErrors: number;
                /** @description answered by no node; cost nothing */
                unanswered: number;
                /** @description refused by the rate limit */
                rateLimited: number;
                /** @description refused by the credits limit */
                creditLimited: number;
                /** @description admitted, and not answered yet */
                underWay: number;
            }[];
            totals: {
                /** @description answered by a node with a result */
                answered: number;
                /** @description answered with a result of the cache */
                cached: number;
                /** @description answered by a node with a JSON-RPC error */
                nodeErrors: number;
                /** @description answered by no node; cost nothing */
                unanswered: number;
                /** @description refused by the rate limit */
                rateLimited: number;
                /** @description refused by the credits limit */
                creditLimited: number;
                /** @description admitted, and not answered yet */
                underWay: number;
            };
        };
        /**
         * @example {
         *       "from": "2026-01-31T10:00:00.000Z",
         *       "to": "2026-01-31T12:00:00.000Z",
         *       "asOf": "2026-01-31T11:42:07.210Z",
         *       "granularity": "total",
         *       "items": [
         *         {
         *           "endpoint": "testnet",
         *           "upstream": "node-a",
         *           "class": "answer",
         *           "attempts": 1104,
         *           "meanMs": 4.2
         *         },
         *         {
         *           "endpoint": "testnet",
         *           "upstream": "node-b",
         *           "class": "node-failure",
         *           "attempts": 12,
         *           "meanMs": 3.1
         *         }
         *       ]
         *     }
         */
        UpstreamStatisticsAnswer: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            granularity: "total" | "5m" | "hour";
            /** Format: date-time */
            asOf: string;
            items: {
                /** Format: date-time */
                bucket?: string;
                /** @description with `by=key`; `other` for requests from before keys were told apart, or of too many */
                keyId?: string;
                endpoint: string;
                upstream: string;
                /** @description what became of the requests: `answer`, or why there was none */
                class: string;
                /** @description requests to the upstream; a batch is one */
                attempts: number;
                meanMs: number;
            }[];
        };
        /**
         * @example {
         *       "from": "2026-01-01T12:00:00.000Z",
         *       "to": "2026-01-31T12:00:00.000Z",
         *       "granularity": "total",
         *       "asOf": "2026-01-31T11:42:07.210Z",
         *       "items": [
         *         {
         *           "server": "mcpservers:example",
         *           "tool": "get_balance",
         *           "calls": 118,
         *           "answered": 104,
         *           "toolErrors": 6,
         *           "failed": 3,
         *           "denied": 5,
         *           "underWay": 0,
         *           "credits": 113,
         *           "bytesSent": 21400,
         *           "bytesReceived": 310250,
         *           "p50Ms": 84.1,
         *           "p95Ms": 410,
         *           "lastUsedAt": "2026-01-31T11:42:00.000Z"
         *         }
         *       ],
         *       "totals": {
         *         "calls": 118,
         *         "answered": 104,
         *         "toolErrors": 6,
         *         "failed": 3,
         *         "denied": 5,
         *         "underWay": 0,
         *         "credits": 113,
         *         "bytesSent": 21400,
         *         "bytesReceived": 310250,
         *         "p50Ms": 84.1,
         *         "p95Ms": 410
         *       },
         *       "nextCursor": null
         *     }
         */
        ToolStatisticsAnswer: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            granularity: "total" | "5m" | "hour" | "day";
            /** Format: date-time */
            asOf: string;
            items: components["schemas"]["ToolStatistics"][];
            totals: {
                /** @description all calls, those that were denied included */
                calls: number;
                /** @description answered by the tool server with a result */
                answered: number;
                /** @description answered by the tool server with an error */
                toolErrors: number;
                /** @description answered by no tool server, or with something else than MCP */
                failed: number;
                /** @description not sent, because a rule forbids it */
                denied: number;
                /** @description sent, and not answered yet */
                underWay: number;
                credits: number;
                /** @description to tool servers, without headers */
                bytesSent: number;
                /** @description of tool servers, without headers */
                bytesReceived: number;
                /** @description null: no call was answered by a tool server */
                p50Ms: number | null;
                /** @description null: no call was answered by a tool server */
                p95Ms: number | null;
            };
            nextCursor: string | null;
        };
        ToolStatistics: {
            /** @description all calls, those that were denied included */
            calls: number;
            /** @description answered by the tool server with a result */
            answered: number;
            /** @description answered by the tool server with an error */
            toolErrors: number;
            /** @description answered by no tool server, or with something else than MCP */
            failed: number;
            /** @description not sent, because a rule forbids it */
            denied: number;
            /** @description sent, and not answered yet */
            underWay: number;
            credits: number;
            /** @description to tool servers, without headers */
            bytesSent: number;
            /** @description of tool servers, without headers */
            bytesReceived: number;
            /** @description null: no call was answered by a tool server */
            p50Ms: number | null;
            /** @description null: no call was answered by a tool server */
            p95Ms: number | null;
            /** @description the tool server as the registry names it; by tool and by server */
            server?: string;
            /** @description by tool */
            tool?: string;
            /** @description an API key or what an agent was granted; by key */
            keyId?: string;
            /** @description of the key or the agent */
            name?: string;
            /**
             * Format: date-time
             * @description to the minute
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description beginning of the five minutes, hour or day; absent for total
             */
            bucket?: string;
        };
        /**
         * @example {
         *       "from": "2026-01-01T12:00:00.000Z",
         *       "to": "2026-01-31T12:00:00.000Z",
         *       "asOf": "2026-01-31T11:42:07.210Z",
         *       "items": [
         *         {
         *           "server": "mcpservers:example",
         *           "tool": "get_balance",
         *           "outcome": "ok",
         *           "calls": 104,
         *           "meanMs": 96.2
         *         },
         *         {
         *           "server": "mcpservers:example",
         *           "tool": "get_balance",
         *           "outcome": "denied",
         *           "calls": 5,
         *           "meanMs": 0
         *         }
         *       ]
         *     }
         */
        ToolOutcomesAnswer: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** Format: date-time */
            asOf: string;
            items: {
                server: string;
                tool: string;
                /** @description one of ok, input_required, tool_error, refused, denied, unanswered, failed, service_gone, origin_changed, auth_required, consent_needed, unreachable, timed_out, too_large, protocol_error, busy, cancelled */
                outcome: string;
                calls: number;
                meanMs: number;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getServiceHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the service identifier to query
                 * @example node-a
                 */
                serviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            /** @description It is as If-None-Match says */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getServiceHealthDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the service identifier to query
                 * @example node-a
                 */
                serviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceDetails"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getServiceHealthHistory: {
        parameters: {
            query?: {
                range?: "15m" | "1h" | "6h" | "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                /**
                 * @description the service identifier to query
                 * @example node-a
                 */
                serviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceHistory"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    enrollVerifier: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    publicKey: string;
                    name: string;
                    region: string;
                    version: string;
                    families: ("evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp")[];
                    proof: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        verifierId: string;
                        serverTimeMs: number;
                        intervalMs: number;
                        freshMs: number;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getVerifierAssignments: {
        parameters: {
            query?: never;
            header: {
                /** @description the verifierId that enrolment answered */
                "verifier-id": string;
                /** @description v1, and the Base64 of the Ed25519 signature (RFC 8032) that the verifier's key makes over what the operation names */
                "verifier-signature": string;
                /** @description epoch milliseconds of the verifier's clock */
                "verifier-time": string;
                /** @description the ETag of the assignments that are known */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What to probe */
            200: {
                headers: {
                    /** @description its version */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        etag: string;
                        serverTimeMs: number;
                        canaries: string[];
                        defaultCanaries?: string[];
                        chains: {
                            key: string;
                            name: string;
                            /** @enum {string} */
                            family: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
                            chainId: number | string | (null);
                            genesisHash: string | null;
                            blockMs: number;
                            futureTolSec: number;
                            /** @enum {string} */
                            headAge: "slot" | "pow" | "idle" | "none";
                            finalityDepth: number;
                            /** @default [] */
                            anchors: {
                                provider: string;
                                /** Format: uri */
                                endpoint: string;
                            }[];
                        }[];
                        targets: {
                            serviceId: string;
                            chain: string | null;
                            provider: string;
                            /** @enum {string} */
                            family: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
                            endpoint: string;
                            ws?: string;
                            headers?: {
                                [key: string]: string;
                            };
                            ca?: string;
                            rule?: {
                                /**
                                 * @default GET
                                 * @enum {string}
                                 */
                                method: "GET" | "HEAD" | "POST";
                                /**
                                 * @default [
                                 *       200
                                 *     ]
                                 */
                                statuses: number[];
                                contains?: string;
                                matches?: string;
                                json?: {
                                    path: string;
                                    equals?: string | number | boolean | (null);
                                    min?: number;
                                    max?: number;
                                };
                                body?: string;
                                redirects?: number;
                            };
                            hidden: boolean;
                            policy: {
                                /** @description how often a verifier probes; services of a chain are probed together, as often as the most demanding of them asks */
                                intervalMs: number;
                                timeoutMs: number;
                                enterBlocks: number;
                                enterSec: number;
                                maxRttMs: number | null;
                                deepIntervalMs: number;
                                /** @enum {string} */
                                rateLimitedIs: "ok" | "bad";
                            };
                        }[];
                    };
                };
            };
            /** @description Nothing changed; ask again */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read, or the clock is more than 60 s off (clock_skew) */
            400: {
                headers: {
                    /** @description of clock_skew: epoch milliseconds of the server; keep the difference, do not set the clock */
                    "server-time-ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postVerifierReport: {
        parameters: {
            query?: never;
            header: {
                /** @description the verifierId that enrolment answered */
                "verifier-id": string;
                /** @description v1, and the Base64 of the Ed25519 signature (RFC 8032) that the verifier's key makes over what the operation names */
                "verifier-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {number} */
                    v: 1;
                    verifierId: string;
                    /** @description rises with each report: epoch microseconds, or one more than the last if that is more; a state that was lost does no harm then */
                    seq: number;
                    /** @description epoch milliseconds */
                    sentAtMs: number;
                    /** @description that the network of the verifier itself is cut off: nothing in this report counts */
                    isolated: boolean;
                    /** @description of a time without the server: for history alone */
                    backfill: boolean;
                    services: string[];
                    rounds: {
                        chain: string | null;
                        /** @description by the verifier's monotonic clock, from the round's start to sentAtMs */
                        ageMs: number;
                        /** @description from the start of the first probe to that of the last one */
                        spreadMs: number;
                        obs: (number | (0 | 1) | ("DNS" | "CONNECT" | "TLS" | "TIMEOUT" | "HTTP_4XX" | "RATE_LIMITED" | "HTTP_5XX" | "NOT_JSON" | "RPC_ERROR" | "TOO_LARGE" | "BLOCKED_ADDRESS" | "PAUSED" | "STALE" | "WRONG_CHAIN" | "WRONG_GENESIS" | "FUTURE_HEAD" | "FORKED" | null) | (number | null) | (number | null) | (string | null) | ("DNS" | "CONNECT" | "TLS" | "TIMEOUT" | "HTTP_4XX" | "RATE_LIMITED" | "HTTP_5XX" | "NOT_JSON" | "RPC_ERROR" | "TOO_LARGE" | "BLOCKED_ADDRESS" | "PAUSED" | "STALE" | "WRONG_CHAIN" | "WRONG_GENESIS" | "FUTURE_HEAD" | "FORKED" | null))[][];
                        checkpoint?: {
                            height: number;
                            hashes: (number | string)[][];
                        };
                        facts?: (number | components["schemas"]["ServiceFactsInput"])[][];
                        /** @enum {boolean} */
                        retest?: true;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ackSeq: number;
                        duplicate: boolean;
                        /** @description how many observations were left out: of services or chains that are not known (any more), of a chain or family that is not theirs, or older than 65 minutes */
                        ignored?: number;
                        serverTimeMs: number;
                        intervalMs: number;
                        assignmentsEtag: string;
                    };
                };
            };
            /** @description The request cannot be read, or the clock is more than 60 s off (clock_skew) */
            400: {
                headers: {
                    /** @description of clock_skew: epoch milliseconds of the server; keep the difference, do not set the clock */
                    "server-time-ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The number does not rise (sequence_replayed), or is more than a day ahead (sequence_ahead) */
            409: {
                headers: {
                    /** @description the last number that was taken; go on above it */
                    "verifier-last-seq"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-encoding is another one than gzip, br or zstd */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownApiKey"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here, or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createQueryKeys: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description label of the query key
                     * @example wallet backend
                     */
                    name: string;
                    /**
                     * @description a kind of key that the operator has listed
                     * @default freeRPC
                     */
                    type?: string;
                    /**
                     * @description name of the configured endpoint that the key is for
                     * @example testnet
                     */
                    endpoint: string;
                    /** @description requests per rateLimitPeriod; null: no limit */
                    rateLimit?: number | null;
                    /**
                     * @description Length of the rolling interval; a month is 30 days
                     * @example minute
                     * @enum {string|null}
                     */
                    rateLimitPeriod?: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
                    /** @description credits per creditsLimitPeriod; null: no limit */
                    creditsLimit?: number | null;
                    /**
                     * @description Length of the rolling interval; a month is 30 days
                     * @example minute
                     * @enum {string|null}
                     */
                    creditsLimitPeriod?: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
                    /**
                     * @description addresses and networks from which it works; none: any
                     * @default []
                     * @example [
                     *       "198.51.100.0/24"
                     *     ]
                     */
                    allowedIps?: string[];
                    /**
                     * @description domains from whose pages it works, `*` is a wildcard; none: any
                     * @default []
                     * @example [
                     *       "*.example.com"
                     *     ]
                     */
                    allowedDomains?: string[];
                    /** @description null: never */
                    expiresAt?: number | string | (null);
                    /**
                     * @description methods that it may call, `*` at the end stands for the rest of a name; none: all of the endpoint
                     * @default []
                     * @example [
                     *       "eth_call",
                     *       "eth_get*"
                     *     ]
                     */
                    allowedMethods?: string[];
                    /**
                     * @description contracts that its calls may name, on EVM chains: as the recipient of eth_call, eth_estimateGas and sent transactions, and as the address of logs; methods of which that cannot be said are refused; none: any contract
                     * @default []
                     * @example [
                     *       "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
                     *     ]
                     */
                    allowedContracts?: string[];
                    /**
                     * @description further endpoints at which it works, with the same limits: names, or beginnings and `*`; none: only `endpoint`
                     * @default []
                     * @example [
                     *       "eth-*"
                     *     ]
                     */
                    moreEndpoints?: string[];
                }[];
            };
        };
        responses: {
            /** @description The keys, in the order of the request. Their values are shown here only. */
            201: {
                headers: {
                    /** @description no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedQueryKey"][];
                };
            };
            /** @description The body is not JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "bad_request",
                     *         "message": "The body is not valid JSON in UTF-8"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Token Create: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key was used for another body, or its request is under way; or the account has too many keys */
            409: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is wrong; the message names its element. No key was created. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "[2].rateLimit: expected a whole number from 1 to 1000000000000"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests with bad API keys from this address, or too many changes by the account of this one */
            429: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "Too many requests with a bad API key from this address"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer. Repeat the request with its Idempotency-Key: no key is created twice. */
            503: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "The database does not answer; try again shortly"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listQueryKeys: {
        parameters: {
            query?: {
                endpoint?: string;
                type?: string;
                /** @description a part of the name, in any case of letters */
                name?: string;
                enabled?: "true" | "false";
                /**
                 * @description keys of a page, at most 1000
                 * @example 100
                 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    /** @description no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["QueryKey"][];
                        /** @description null: this is the last page */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read or Token Create: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has no such key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 1000"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests with bad API keys from this address, or too many changes by the account of this one */
            429: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "Too many requests with a bad API key from this address"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the limits do not say what was used */
            503: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "The database does not answer; try again shortly"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getQueryKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key */
            200: {
                headers: {
                    /** @description no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryKey"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read or Token Create: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has no such key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 1000"
                     *       }
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            /** @description Too many requests with bad API keys from this address, or too many changes by the account of this one */
            429: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "Too many requests with a bad API key from this address"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the limits do not say what was used */
            503: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "The database does not answer; try again shortly"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteQueryKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is deleted */
            200: {
                headers: {
                    /** @description no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description false: a process has not confirmed the change yet, and may use the key as it was */
                        propagated: boolean;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Token Create: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has no such key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests with bad API keys from this address, or too many changes by the account of this one */
            429: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "Too many requests with a bad API key from this address"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer. The key may have been deleted: repeat the request; 404 means that it was. */
            503: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "The database does not answer; try again shortly"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeQueryKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description label of the query key
                     * @example wallet backend
                     */
                    name?: string;
                    type?: string;
                    /** @description requests per rateLimitPeriod; null: no limit */
                    rateLimit?: number | null;
                    /**
                     * @description Length of the rolling interval; a month is 30 days
                     * @example minute
                     * @enum {string|null}
                     */
                    rateLimitPeriod?: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
                    /** @description credits per creditsLimitPeriod; null: no limit */
                    creditsLimit?: number | null;
                    /**
                     * @description Length of the rolling interval; a month is 30 days
                     * @example minute
                     * @enum {string|null}
                     */
                    creditsLimitPeriod?: "second" | "minute" | "hour" | "day" | "week" | "month" | null;
                    allowedIps?: string[];
                    allowedDomains?: string[];
                    /**
                     * @description methods that it may call, `*` at the end stands for the rest of a name; none: all of the endpoint
                     * @example [
                     *       "eth_call",
                     *       "eth_get*"
                     *     ]
                     */
                    allowedMethods?: string[];
                    /**
                     * @description contracts that its calls may name, on EVM chains: as the recipient of eth_call, eth_estimateGas and sent transactions, and as the address of logs; methods of which that cannot be said are refused; none: any contract
                     * @example [
                     *       "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
                     *     ]
                     */
                    allowedContracts?: string[];
                    /**
                     * @description further endpoints at which it works, with the same limits: names, or beginnings and `*`; none: only `endpoint`
                     * @example [
                     *       "eth-*"
                     *     ]
                     */
                    moreEndpoints?: string[];
                    expiresAt?: number | string | (null);
                    enabled?: boolean;
                    /** @description true: the request log keeps the parameters of its calls for an hour from now */
                    debug?: boolean;
                };
            };
        };
        responses: {
            /** @description The key as it is now */
            200: {
                headers: {
                    /** @description no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedQueryKey"];
                };
            };
            /** @description The body is not JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "bad_request",
                     *         "message": "The body is not valid JSON in UTF-8"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Token Create: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has no such key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The plan of the account is not declared at present */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "The plan team of this account is not declared at present; ask the operator"
                     *       }
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is wrong; the message names it. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "rateLimit: expected rateLimit together with rateLimitPeriod, or neither of them"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests with bad API keys from this address, or too many changes by the account of this one */
            429: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "Too many requests with a bad API key from this address"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer. The change may have been made: ask for the key, or repeat it. */
            503: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "The database does not answer; try again shortly"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getQueryKeyLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The use of both limits */
            200: {
                headers: {
                    /** @description no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keyId: string;
                        /** @description null: no limit */
                        rate: {
                            limit: number;
                            /**
                             * @description Length of the rolling interval; a month is 30 days
                             * @example minute
                             * @enum {string}
                             */
                            period: "second" | "minute" | "hour" | "day" | "week" | "month";
                            used: number;
                            remaining: number;
                        } | null;
                        /** @description null: no limit */
                        credits: {
                            limit: number;
                            /**
                             * @description Length of the rolling interval; a month is 30 days
                             * @example minute
                             * @enum {string}
                             */
                            period: "second" | "minute" | "hour" | "day" | "week" | "month";
                            used: number;
                            remaining: number;
                        } | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read or Token Create: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has no such key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 1000"
                     *       }
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            /** @description Too many requests with bad API keys from this address, or too many changes by the account of this one */
            429: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "Too many requests with a bad API key from this address"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the limits do not say what was used */
            503: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "The database does not answer; try again shortly"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    rotateQueryKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description for how long the value of now goes on to work
                     * @default 0
                     */
                    overlapSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The key with its new value, which is shown here only */
            200: {
                headers: {
                    /** @description no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedQueryKey"];
                };
            };
            /** @description The body is not JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "bad_request",
                     *         "message": "The body is not valid JSON in UTF-8"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Token Create: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account has no such key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key was used for another request, or its request is under way */
            409: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is wrong; the message names it. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "overlapSeconds: expected a whole number from 0 to 2592000"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests with bad API keys from this address, or too many changes by the account of this one */
            429: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "rate_limited",
                     *         "message": "Too many requests with a bad API key from this address"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer. The change may have been made: ask for the key, or repeat it. */
            503: {
                headers: {
                    /** @description seconds until it is worth trying again */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unavailable",
                     *         "message": "The database does not answer; try again shortly"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listServices: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Service"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description the service identifier to query
                     * @example node-a
                     */
                    id?: string;
                    name: string;
                    /** @enum {string} */
                    family?: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
                    chain?: string;
                    provider: string;
                    labels?: string[];
                    objective?: number;
                    /** Format: uri */
                    endpoint: string;
                    /** Format: uri */
                    ws?: string;
                    headers?: {
                        [key: string]: string;
                    };
                    ca?: string;
                    rule?: {
                        /**
                         * @default GET
                         * @enum {string}
                         */
                        method?: "GET" | "HEAD" | "POST";
                        /**
                         * @default [
                         *       200
                         *     ]
                         */
                        statuses?: number[];
                        contains?: string;
                        matches?: string;
                        json?: {
                            path: string;
                            equals?: string | number | boolean | (null);
                            min?: number;
                            max?: number;
                        };
                        body?: string;
                        redirects?: number;
                    };
                    capabilities?: components["schemas"]["DeclaredCapabilitiesInput"];
                    /** @default {} */
                    policy?: {
                        /** @description how often a verifier probes; services of a chain are probed together, as often as the most demanding of them asks */
                        intervalMs?: number;
                        timeoutMs?: number;
                        freshMs?: number;
                        minLive?: number | null;
                        /** @enum {string} */
                        quorum?: "majority" | "bft";
                        enterBlocks?: number;
                        enterSec?: number;
                        exitRatio?: number;
                        staleFactor?: number;
                        maxAgeMs?: number;
                        maxRttMs?: number | null;
                        downForMs?: number;
                        latencyForMs?: number;
                        upForMs?: number;
                        maxUpForMs?: number;
                        flapWindowMs?: number;
                        deepIntervalMs?: number;
                        /** @enum {string} */
                        rateLimitedIs?: "ok" | "bad";
                    };
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the service identifier to query
                 * @example node-a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no watched service of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description the service identifier to query
                 * @example node-a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no watched service of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeService: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description the service identifier to query
                 * @example node-a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    provider?: string;
                    labels?: string[];
                    objective?: number | null;
                    chain?: string | null;
                    /** Format: uri */
                    endpoint?: string;
                    /** Format: uri */
                    ws?: string | null;
                    headers?: {
                        [key: string]: string | null;
                    };
                    ca?: string | null;
                    rule?: {
                        /**
                         * @default GET
                         * @enum {string}
                         */
                        method?: "GET" | "HEAD" | "POST";
                        /**
                         * @default [
                         *       200
                         *     ]
                         */
                        statuses?: number[];
                        contains?: string;
                        matches?: string;
                        json?: {
                            path: string;
                            equals?: string | number | boolean | (null);
                            min?: number;
                            max?: number;
                        };
                        body?: string;
                        redirects?: number;
                    } | null;
                    capabilities?: components["schemas"]["DeclaredCapabilitiesInput"];
                    policy?: {
                        /** @description how often a verifier probes; services of a chain are probed together, as often as the most demanding of them asks */
                        intervalMs?: number;
                        timeoutMs?: number;
                        freshMs?: number;
                        minLive?: number | null;
                        /** @enum {string} */
                        quorum?: "majority" | "bft";
                        enterBlocks?: number;
                        enterSec?: number;
                        exitRatio?: number;
                        staleFactor?: number;
                        maxAgeMs?: number;
                        maxRttMs?: number | null;
                        downForMs?: number;
                        latencyForMs?: number;
                        upForMs?: number;
                        maxUpForMs?: number;
                        flapWindowMs?: number;
                        deepIntervalMs?: number;
                        /** @enum {string} */
                        rateLimitedIs?: "ok" | "bad";
                    };
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no watched service of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listVerifiers: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Verifier"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getVerifier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verifier"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no verifier of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteVerifier: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no verifier of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listVerifierTokens: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["VerifierToken"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createVerifierToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    label?: string;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedVerifierToken"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getVerifierToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifierToken"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no enrolment token of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteVerifierToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no enrolment token of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listEndpoints: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Endpoint"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    chain: string;
                    upstreams: {
                        /**
                         * @description the service identifier to query
                         * @example node-a
                         */
                        service?: string;
                        /** Format: uri */
                        url?: string;
                        /** Format: uri */
                        ws?: string;
                        headers?: {
                            [key: string]: string;
                        };
                        /** @default 1 */
                        weight?: number;
                        tier?: number;
                        budget?: "auto" | {
                            requests?: number;
                            credits?: number;
                            per: ("day" | "month") | number;
                        };
                        compression?: boolean;
                    }[];
                    /**
                     * @default {
                     *       "allow": [],
                     *       "deny": [],
                     *       "unknown": "refuse"
                     *     }
                     */
                    methods?: {
                        /** @default [] */
                        allow?: string[];
                        /** @default [] */
                        deny?: string[];
                        /**
                         * @default refuse
                         * @enum {string}
                         */
                        unknown?: "refuse" | "allow";
                    };
                    /** @default {} */
                    credits?: {
                        [key: string]: number;
                    };
                    /**
                     * @default {
                     *       "byMethod": {}
                     *     }
                     */
                    settings?: {
                        firstByteMs?: number;
                        totalMs?: number;
                        attempts?: number;
                        hedge?: ("off" | "p50" | "p75" | "p90" | "p95" | "p99") | number;
                        answerBytes?: number;
                        bodyBytes?: number;
                        /** @enum {string} */
                        cache?: "all" | "final" | "off";
                        transactionNodes?: number;
                        logBlocks?: number;
                        /** @default {} */
                        byMethod?: {
                            [key: string]: {
                                firstByteMs?: number;
                                totalMs?: number;
                                attempts?: number;
                                hedge?: ("off" | "p50" | "p75" | "p90" | "p95" | "p99") | number;
                                answerBytes?: number;
                                bodyBytes?: number;
                                cacheFor?: string;
                            };
                        };
                    };
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no endpoint of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no endpoint of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chain?: string | {
                        key: string;
                        name: string;
                    };
                    upstreams?: {
                        keep?: string;
                        /**
                         * @description the service identifier to query
                         * @example node-a
                         */
                        service?: string;
                        /** Format: uri */
                        url?: string;
                        /** Format: uri */
                        ws?: string | null;
                        headers?: {
                            [key: string]: string | null;
                        };
                        /** @default 1 */
                        weight?: number;
                        tier?: number;
                        budget?: "auto" | {
                            requests?: number;
                            credits?: number;
                            per: ("day" | "month") | number;
                        } | (null);
                        compression?: boolean | null;
                    }[];
                    methods?: {
                        /** @default [] */
                        allow?: string[];
                        /** @default [] */
                        deny?: string[];
                        /**
                         * @default refuse
                         * @enum {string}
                         */
                        unknown?: "refuse" | "allow";
                    };
                    credits?: {
                        [key: string]: number;
                    };
                    settings?: {
                        firstByteMs?: number;
                        totalMs?: number;
                        attempts?: number;
                        hedge?: ("off" | "p50" | "p75" | "p90" | "p95" | "p99") | number;
                        answerBytes?: number;
                        bodyBytes?: number;
                        /** @enum {string} */
                        cache?: "all" | "final" | "off";
                        transactionNodes?: number;
                        logBlocks?: number;
                        /** @default {} */
                        byMethod?: {
                            [key: string]: {
                                firstByteMs?: number;
                                totalMs?: number;
                                attempts?: number;
                                hedge?: ("off" | "p50" | "p75" | "p90" | "p95" | "p99") | number;
                                answerBytes?: number;
                                bodyBytes?: number;
                                cacheFor?: string;
                            };
                        };
                    };
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no endpoint of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                search?: string;
                state?: "active" | "pending" | "disabled";
                /** @description the newest, the last seen, or the busiest of the last seven days first */
                order?: "created" | "seen" | "calls" | "credits";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Account"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    identity: string;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no account of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no account of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description active: approves an account that waits, and enables one that is disabled
                     * @enum {string}
                     */
                    state?: "active" | "disabled";
                    plan?: string | null;
                    /** @enum {string} */
                    role?: "account" | "operator";
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no account of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Invitation"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default  */
                    note?: string;
                    /** @default null */
                    for?: string | null;
                    /** @default 7 */
                    days?: number;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no invitation of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no invitation of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Plan"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    maxKeys?: number;
                    keyMost?: {
                        rate?: string;
                        credits?: string;
                    };
                    totalMost?: {
                        rate?: string;
                        credits?: string;
                    };
                    /**
                     * @description further endpoints at which it works, with the same limits: names, or beginnings and `*`; none: only `endpoint`
                     * @example [
                     *       "eth-*"
                     *     ]
                     */
                    endpoints?: string[];
                    /**
                     * @description methods that it may call, `*` at the end stands for the rest of a name; none: all of the endpoint
                     * @example [
                     *       "eth_call",
                     *       "eth_get*"
                     *     ]
                     */
                    methods?: string[];
                    keyDays?: number;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no plan of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deletePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no plan of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    maxKeys?: number | null;
                    keyMost?: {
                        rate?: string;
                        credits?: string;
                    } | null;
                    totalMost?: {
                        rate?: string;
                        credits?: string;
                    } | null;
                    /**
                     * @description further endpoints at which it works, with the same limits: names, or beginnings and `*`; none: only `endpoint`
                     * @example [
                     *       "eth-*"
                     *     ]
                     */
                    endpoints?: string[] | null;
                    /**
                     * @description methods that it may call, `*` at the end stands for the rest of a name; none: all of the endpoint
                     * @example [
                     *       "eth_call",
                     *       "eth_get*"
                     *     ]
                     */
                    methods?: string[] | null;
                    keyDays?: number | null;
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no plan of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listChains: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Chain"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createChain: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    family: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
                    chainId?: number | string | (null);
                    genesisHash?: string | null;
                    blockMs?: number;
                    futureTolSec?: number;
                    /** @enum {string} */
                    headAge?: "slot" | "pow" | "idle" | "none";
                    finalityDepth?: number;
                    anchors?: {
                        provider: string;
                        /** Format: uri */
                        endpoint: string;
                    }[];
                    key: string;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chain"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getChain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chain"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no chain of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteChain: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no chain of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeChain: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @enum {string} */
                    family?: "evm" | "solana" | "bitcoin" | "filecoin" | "cosmos" | "cosmos-rest" | "near" | "starknet" | "substrate" | "beacon" | "aptos" | "sui" | "tron" | "ton" | "xrpl" | "stellar" | "algorand" | "tezos" | "cardano" | "subgraph" | "http" | "mcp";
                    chainId?: number | string | (null);
                    genesisHash?: string | null;
                    blockMs?: number | null;
                    futureTolSec?: number | null;
                    /** @enum {string|null} */
                    headAge?: "slot" | "pow" | "idle" | "none" | null;
                    finalityDepth?: number | null;
                    anchors?: {
                        provider: string;
                        /** Format: uri */
                        endpoint: string;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chain"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no chain of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAllowedAddresss: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AllowedAddress"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createAllowedAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    address: string;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowedAddress"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAllowedAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowedAddress"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no allowed address of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAllowedAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no allowed address of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listStatements: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description a month of UTC; the current one unless given */
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Statement"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no monthly statement of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Channel"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                    /** @enum {string} */
                    type: "webhook";
                    /** Format: uri */
                    url: string;
                    secret?: string;
                } | {
                    name: string;
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                    /** @enum {string} */
                    type: "slack";
                    /** Format: uri */
                    url: string;
                } | {
                    name: string;
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                    /** @enum {string} */
                    type: "telegram";
                    token: string;
                    chat: string;
                    /**
                     * Format: uri
                     * @default https://api.telegram.org
                     */
                    url?: string;
                } | {
                    name: string;
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                    /** @enum {string} */
                    type: "pagerduty";
                    routingKey: string;
                    /**
                     * Format: uri
                     * @default https://events.pagerduty.com/v2/enqueue
                     */
                    url?: string;
                } | {
                    name: string;
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                    /** @enum {string} */
                    type: "email";
                    /** Format: uri */
                    smtp: string;
                    from: string;
                    /** @default [] */
                    to?: string[];
                } | {
                    name: string;
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                    /** @enum {string} */
                    type: "alertmanager";
                    /** Format: uri */
                    url: string;
                    user?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedChannel"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no alert channel of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no alert channel of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    } | null;
                    /** @enum {string} */
                    type: "webhook";
                    /** Format: uri */
                    url?: string;
                    secret?: string;
                } | {
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    } | null;
                    /** @enum {string} */
                    type: "slack";
                    /** Format: uri */
                    url?: string;
                } | {
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    } | null;
                    /** @enum {string} */
                    type: "telegram";
                    token?: string;
                    chat?: string;
                    /** Format: uri */
                    url?: string;
                } | {
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    } | null;
                    /** @enum {string} */
                    type: "pagerduty";
                    routingKey?: string;
                    /** Format: uri */
                    url?: string;
                } | {
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    } | null;
                    /** @enum {string} */
                    type: "email";
                    /** Format: uri */
                    smtp?: string;
                    from?: string;
                    to?: string[];
                } | {
                    quietHours?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    } | null;
                    /** @enum {string} */
                    type: "alertmanager";
                    /** Format: uri */
                    url?: string;
                    user?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no alert channel of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAlertRules: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AlertRule"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    when: {
                        decision: components["schemas"]["Decision"][];
                        /**
                         * @default 0s
                         * @example 10m
                         */
                        for?: string;
                    } | {
                        /** @enum {boolean} */
                        change: true;
                    } | {
                        flapping: {
                            /** @default 6 */
                            changes?: number;
                            /**
                             * @default 1h
                             * @example 10m
                             */
                            within?: string;
                        };
                    } | {
                        verifier: ("gone" | "isolated")[];
                        /**
                         * @default 0s
                         * @example 10m
                         */
                        for?: string;
                    } | {
                        certificate: {
                            /**
                             * @default 14d
                             * @example 10m
                             */
                            within?: string;
                        };
                    } | {
                        keyEnds: {
                            /**
                             * @default 14d
                             * @example 10m
                             */
                            within?: string;
                        };
                    } | {
                        keyLimit: {
                            /** @default 80 */
                            percent?: number;
                        };
                    } | {
                        budget: {
                            /**
                             * @default account
                             * @enum {string}
                             */
                            of?: "account" | "key";
                            id?: string;
                            /**
                             * @default credits
                             * @enum {string}
                             */
                            measure?: "credits" | "calls";
                            units: number;
                            /** @default 100 */
                            percent?: number;
                        };
                    } | {
                        installation: ("usage" | "limits" | "database")[];
                        /**
                         * @default 0s
                         * @example 10m
                         */
                        for?: string;
                    } | {
                        /** @enum {string} */
                        tools: "changed";
                    } | {
                        account: ("new operator" | "new place")[];
                    };
                    services?: {
                        id?: string | string[];
                        chain?: string | string[];
                        provider?: string | string[];
                        label?: string | string[];
                    };
                    /** @default [] */
                    channels?: string[];
                    /** @example 10m */
                    repeat?: string;
                    /** @default true */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no alert rule of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no alert rule of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    when?: {
                        decision: components["schemas"]["Decision"][];
                        /**
                         * @default 0s
                         * @example 10m
                         */
                        for?: string;
                    } | {
                        /** @enum {boolean} */
                        change: true;
                    } | {
                        flapping: {
                            /** @default 6 */
                            changes?: number;
                            /**
                             * @default 1h
                             * @example 10m
                             */
                            within?: string;
                        };
                    } | {
                        verifier: ("gone" | "isolated")[];
                        /**
                         * @default 0s
                         * @example 10m
                         */
                        for?: string;
                    } | {
                        certificate: {
                            /**
                             * @default 14d
                             * @example 10m
                             */
                            within?: string;
                        };
                    } | {
                        keyEnds: {
                            /**
                             * @default 14d
                             * @example 10m
                             */
                            within?: string;
                        };
                    } | {
                        keyLimit: {
                            /** @default 80 */
                            percent?: number;
                        };
                    } | {
                        budget: {
                            /**
                             * @default account
                             * @enum {string}
                             */
                            of?: "account" | "key";
                            id?: string;
                            /**
                             * @default credits
                             * @enum {string}
                             */
                            measure?: "credits" | "calls";
                            units: number;
                            /** @default 100 */
                            percent?: number;
                        };
                    } | {
                        installation: ("usage" | "limits" | "database")[];
                        /**
                         * @default 0s
                         * @example 10m
                         */
                        for?: string;
                    } | {
                        /** @enum {string} */
                        tools: "changed";
                    } | {
                        account: ("new operator" | "new place")[];
                    };
                    services?: {
                        id?: string | string[];
                        chain?: string | string[];
                        provider?: string | string[];
                        label?: string | string[];
                    } | null;
                    channels?: string[] | null;
                    /** @example 10m */
                    repeat?: string | null;
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no alert rule of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listSilences: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Silence"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createSilence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rule?: string;
                    services?: {
                        id?: string | string[];
                        chain?: string | string[];
                        provider?: string | string[];
                        label?: string | string[];
                    };
                    decisions?: components["schemas"]["Decision"][];
                    until: number | string;
                    /** @default  */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no silence of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteSilence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no silence of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listMaintenanceWindows: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["MaintenanceWindow"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    services?: {
                        id?: string | string[];
                        chain?: string | string[];
                        provider?: string | string[];
                        label?: string | string[];
                    };
                    /** @default  */
                    reason?: string;
                    once?: {
                        from: number | string;
                        to: number | string;
                    };
                    every?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceWindow"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceWindow"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no planned work of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no planned work of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeMaintenanceWindow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    services?: {
                        id?: string | string[];
                        chain?: string | string[];
                        provider?: string | string[];
                        label?: string | string[];
                    } | null;
                    reason?: string | null;
                    once?: {
                        from: number | string;
                        to: number | string;
                    } | null;
                    every?: {
                        from: string;
                        to: string;
                        /**
                         * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                         * @default UTC
                         * @example Asia/Kolkata
                         */
                        zone?: string;
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    } | null;
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceWindow"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no planned work of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listStatusPages: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["StatusPage"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createStatusPage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example main */
                    page: string;
                    title: string;
                    /** @default true */
                    published?: boolean;
                    /** @default true */
                    listed?: boolean;
                    logo?: string;
                    /** @default [] */
                    hosts?: string[];
                    emailChannel?: string;
                    webhooks?: boolean;
                    groups: {
                        name: string;
                        services: {
                            /**
                             * @description the service identifier to query
                             * @example node-a
                             */
                            id: string;
                            as?: string;
                        }[];
                    }[];
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPage"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getStatusPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example main */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPage"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no status page of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteStatusPage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                /** @example main */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no status page of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeStatusPage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                /** @example main */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    published?: boolean | null;
                    listed?: boolean | null;
                    logo?: string | null;
                    hosts?: string[] | null;
                    emailChannel?: string | null;
                    webhooks?: boolean | null;
                    groups?: {
                        name: string;
                        services: {
                            /**
                             * @description the service identifier to query
                             * @example node-a
                             */
                            id: string;
                            as?: string;
                        }[];
                    }[];
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusPage"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no status page of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Incident"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createIncident: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example main */
                    page: string;
                    /** @enum {string} */
                    kind: "incident" | "maintenance";
                    title: string;
                    /** @default [] */
                    services?: string[];
                    startsAt?: number | string;
                    endsAt?: number | string;
                    /** @enum {string} */
                    stage: "investigating" | "identified" | "monitoring" | "resolved" | "planned" | "under_way" | "completed";
                    text: string;
                    notify?: boolean;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no incident of a status page of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteIncident: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no incident of a status page of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeIncident: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    stage: "investigating" | "identified" | "monitoring" | "resolved" | "planned" | "under_way" | "completed";
                    text: string;
                    notify?: boolean;
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no incident of a status page of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listRegistryImports: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Registry"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createRegistryImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    source: string;
                    /** Format: byte */
                    content: string;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedRegistry"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getRegistryImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registry"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no registry of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Connection"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createConnection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description any text that is new for each request: the same request sent again with it within 24 hours gets the same answer, and no key is created twice
                 * @example 5f0c1f4e-2f0a-4a0e-9c37-0a9b0b6c7f11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description a registry service: <category>:<slug>
                     * @example mcpservers:example
                     */
                    serviceId: string;
                    /**
                     * @description canonical lowercase chain key
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @default secret
                     * @enum {string}
                     */
                    auth?: "secret" | "oauth";
                    /** @default null */
                    secret?: string | null;
                    /** @default null */
                    headerName?: string | null;
                    /** @default null */
                    label?: string | null;
                };
            };
        };
        responses: {
            /** @description It is there, in every process */
            201: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body names something that is not there, to which it would belong */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such status page"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The name is taken, or the Idempotency-Key was used for another request */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "This Idempotency-Key was used for another request: use a new one"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no saved connection of the key's account of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteConnection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, in every process */
            204: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no saved connection of the key's account of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    changeConnection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description the ETag of what was read: when somebody has changed it since, the answer is 412 and nothing happens. Without it the request holds for whatever is there
                 * @example "nW3v8hDq0bT1yKcAx5Rz2g"
                 */
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label?: string | null;
                    use?: {
                        /** @enum {string} */
                        onChange?: "warn" | "block";
                        resultBytes?: number;
                        showsSecrets?: boolean;
                    };
                    /**
                     * @description keeps arguments and results of calls for so long; 0: no more
                     * @enum {number}
                     */
                    keepContentHours?: 0 | 1 | 24 | 168;
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no saved connection of the key's account of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is declared in the file and changed there, or something else stands against it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "conflict",
                     *         "message": "this endpoint is managed by the file: change it there"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Somebody has changed it since it was read; the ETag header says what it is now */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "precondition_failed",
                     *         "message": "It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The content-type is not application/json, or the body is compressed */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "name: expected text without control, invisible or direction-changing characters"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAuditEntrys: {
        parameters: {
            query?: {
                /** @description items of a page, at most 100 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                actor?: string;
                action?: "service.add" | "service.update" | "service.remove" | "service.maintenance" | "verifier.token" | "verifier.token_cancel" | "verifier.enroll" | "verifier.revoke" | "account.sign_in" | "account.sign_out" | "account.session_revoke" | "account.link" | "account.unlink" | "account.contact" | "account.approve" | "account.join" | "account.create" | "account.disable" | "account.enable" | "account.delete" | "account.role" | "account.plan" | "plan.create" | "plan.update" | "plan.delete" | "account.invite" | "account.invitation_cancel" | "team.create" | "team.rename" | "team.delete" | "team.invite" | "team.invitation_cancel" | "team.join" | "team.role" | "team.leave" | "team.remove" | "operator.claim" | "audit.archive" | "api_key.create" | "api_key.update" | "api_key.enable" | "api_key.disable" | "api_key.delete" | "api_key.reveal" | "api_key.rotate" | "query_key.create" | "query_key.update" | "query_key.enable" | "query_key.disable" | "query_key.delete" | "query_key.reveal" | "query_key.rotate" | "endpoint.create" | "endpoint.update" | "endpoint.remove" | "chain.create" | "chain.update" | "chain.delete" | "registry.import" | "connection.create" | "connection.update" | "connection.accept_tools" | "connection.secret_quoted" | "connection.consent" | "connection.consent_lost" | "connection.delete" | "tool_policy.save" | "tool_policy.remove" | "tool_server.accept_tools" | "oauth_issuer.set" | "oauth_issuer.remove" | "virtual_server.create" | "virtual_server.update" | "virtual_server.delete" | "status_page.create" | "status_page.update" | "status_page.delete" | "status_page.export_subscribers" | "status_page.remove_subscriber" | "status_incident.start" | "status_incident.update" | "status_incident.delete" | "agent.connect" | "agent.disconnect" | "channel.create" | "channel.update" | "channel.delete" | "channel.test" | "alert_rule.create" | "alert_rule.update" | "alert_rule.delete" | "alert.acknowledge" | "silence.create" | "silence.end" | "maintenance.create" | "maintenance.update" | "maintenance.delete" | "delivery.resend" | "statement.send" | "address.allow" | "address.revoke";
                subjectKind?: "service" | "verifier" | "account" | "invitation" | "team" | "api_key" | "query_key" | "endpoint" | "connection" | "tool_policy" | "tool_server" | "oauth_issuer" | "virtual_server" | "status_page" | "agent" | "channel" | "alert_rule" | "alert" | "silence" | "maintenance" | "delivery" | "plan" | "chain" | "address" | "installation";
                subjectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        nextCursor: string | null;
                    };
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A field or parameter is not allowed; the message names it, and what is allowed. Nothing was changed. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter limit: expected a whole number from 1 to 100"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAuditEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    /** @description the version of what was answered, for If-Match; counts and states are no part of it */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"];
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Installation: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no audit entry of this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no such thing"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKeyStatistics: {
        parameters: {
            query?: {
                /**
                 * @description RFC 3339 or Unix seconds; 30 days before `to` when not given. Taken back to the beginning of its hour
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description RFC 3339 or Unix seconds, not included; now when not given. Taken on to the end of its hour
                 * @example 1767312000
                 */
                to?: string;
                /** @description one item for the whole interval, or one for each five minutes (of the last 48 hours), hour (of UTC) or day */
                granularity?: "total" | "5m" | "hour" | "day";
                /**
                 * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                 * @example Asia/Kolkata
                 */
                timeZone?: string;
                /**
                 * @description only calls with this query key
                 * @example qkey_0f3a5c7e9b1d2f4a6c8e0b1d
                 */
                keyId?: string;
                /**
                 * @description only calls to this endpoint
                 * @example testnet
                 */
                endpoint?: string;
                /**
                 * @description only calls of this method
                 * @example eth_call
                 */
                method?: string;
                /**
                 * @description items of a page, at most 1000
                 * @example 100
                 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items, and the sums of all pages. With `Accept: text/csv` the items alone as CSV, whose next page `Link` names */
            200: {
                headers: {
                    /** @description private, no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyStatisticsAnswer"];
                    "text/csv": string;
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account never had such a key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter granularity: expected one of \"total\", \"5m\", \"hour\", \"day\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getMethodStatistics: {
        parameters: {
            query?: {
                /**
                 * @description RFC 3339 or Unix seconds; 30 days before `to` when not given. Taken back to the beginning of its hour
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description RFC 3339 or Unix seconds, not included; now when not given. Taken on to the end of its hour
                 * @example 1767312000
                 */
                to?: string;
                /** @description one item for the whole interval, or one for each five minutes (of the last 48 hours), hour (of UTC) or day */
                granularity?: "total" | "5m" | "hour" | "day";
                /**
                 * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                 * @example Asia/Kolkata
                 */
                timeZone?: string;
                /**
                 * @description only calls with this query key
                 * @example qkey_0f3a5c7e9b1d2f4a6c8e0b1d
                 */
                keyId?: string;
                /**
                 * @description only calls to this endpoint
                 * @example testnet
                 */
                endpoint?: string;
                /**
                 * @description only calls of this method
                 * @example eth_call
                 */
                method?: string;
                /**
                 * @description items of a page, at most 1000
                 * @example 100
                 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items, and the sums of all pages. With `Accept: text/csv` the items alone as CSV, whose next page `Link` names */
            200: {
                headers: {
                    /** @description private, no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MethodStatisticsAnswer"];
                    "text/csv": string;
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account never had such a key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter granularity: expected one of \"total\", \"5m\", \"hour\", \"day\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getKeyMethodStatistics: {
        parameters: {
            query?: {
                /**
                 * @description RFC 3339 or Unix seconds; 30 days before `to` when not given. Taken back to the beginning of its hour
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description RFC 3339 or Unix seconds, not included; now when not given. Taken on to the end of its hour
                 * @example 1767312000
                 */
                to?: string;
                /** @description one item for the whole interval, or one for each five minutes (of the last 48 hours), hour (of UTC) or day */
                granularity?: "total" | "5m" | "hour" | "day";
                /**
                 * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                 * @example Asia/Kolkata
                 */
                timeZone?: string;
                /**
                 * @description only calls with this query key
                 * @example qkey_0f3a5c7e9b1d2f4a6c8e0b1d
                 */
                keyId?: string;
                /**
                 * @description only calls to this endpoint
                 * @example testnet
                 */
                endpoint?: string;
                /**
                 * @description only calls of this method
                 * @example eth_call
                 */
                method?: string;
                /**
                 * @description items of a page, at most 1000
                 * @example 100
                 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items, and the sums of all pages. With `Accept: text/csv` the items alone as CSV, whose next page `Link` names */
            200: {
                headers: {
                    /** @description private, no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyMethodStatisticsAnswer"];
                    "text/csv": string;
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account never had such a key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter granularity: expected one of \"total\", \"5m\", \"hour\", \"day\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getClassStatistics: {
        parameters: {
            query?: {
                /**
                 * @description RFC 3339 or Unix seconds; 30 days before `to` when not given. Taken back to the beginning of its hour
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description RFC 3339 or Unix seconds, not included; now when not given. Taken on to the end of its hour
                 * @example 1767312000
                 */
                to?: string;
                /** @description one item for the whole interval, or one for each five minutes (of the last 48 hours), hour (of UTC) or day */
                granularity?: "total" | "5m" | "hour" | "day";
                /**
                 * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                 * @example Asia/Kolkata
                 */
                timeZone?: string;
                /**
                 * @description only calls with this query key
                 * @example qkey_0f3a5c7e9b1d2f4a6c8e0b1d
                 */
                keyId?: string;
                /**
                 * @description only calls to this endpoint
                 * @example testnet
                 */
                endpoint?: string;
                /**
                 * @description only calls of this method
                 * @example eth_call
                 */
                method?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of each class. With `Accept: text/csv` the items alone as CSV */
            200: {
                headers: {
                    /** @description private, no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassStatisticsAnswer"];
                    "text/csv": string;
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account never had such a key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter granularity: expected one of \"total\", \"5m\", \"hour\", \"day\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUpstreamStatistics: {
        parameters: {
            query?: {
                /**
                 * @description RFC 3339 or Unix seconds; 30 days before `to` when not given. Taken back to the beginning of its hour
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description RFC 3339 or Unix seconds, not included; now when not given. Taken on to the end of its hour
                 * @example 1767312000
                 */
                to?: string;
                /** @description one item for the whole interval, or one for each five minutes or hour */
                granularity?: "total" | "5m" | "hour";
                /**
                 * @description only calls to this endpoint
                 * @example testnet
                 */
                endpoint?: string;
                /**
                 * @description only calls with this query key
                 * @example qkey_0f3a5c7e9b1d2f4a6c8e0b1d
                 */
                keyId?: string;
                /** @description `key`: items for each query key; else for all together */
                by?: "key";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of each class. With `Accept: text/csv` the items alone as CSV */
            200: {
                headers: {
                    /** @description private, no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpstreamStatisticsAnswer"];
                    "text/csv": string;
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account never had such a key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter granularity: expected one of \"total\", \"5m\", \"hour\", \"day\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getToolStatistics: {
        parameters: {
            query?: {
                /**
                 * @description RFC 3339 or Unix seconds; 30 days before `to` when not given. Taken back to the beginning of its hour
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description RFC 3339 or Unix seconds, not included; now when not given. Taken on to the end of its hour
                 * @example 1767312000
                 */
                to?: string;
                /** @description one item for the whole interval, or one for each five minutes (of the last 48 hours), hour (of UTC) or day */
                granularity?: "total" | "5m" | "hour" | "day";
                /**
                 * @description whose days are meant, by its IANA name; UTC when not given. Within the last 90 days
                 * @example Asia/Kolkata
                 */
                timeZone?: string;
                /** @description what has a line of its own */
                by?: "tool" | "server" | "key";
                /**
                 * @description only calls with this API key, or of this agent
                 * @example key_0f3a5c7e9b1d2f4a6c8e0b1d
                 */
                keyId?: string;
                /**
                 * @description only calls to this tool server
                 * @example mcpservers:example
                 */
                server?: string;
                /**
                 * @description only calls of tools of this name
                 * @example get_balance
                 */
                tool?: string;
                /**
                 * @description items of a page, at most 1000
                 * @example 100
                 */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items, and the sums of all pages. With `Accept: text/csv` the items alone as CSV, whose next page `Link` names */
            200: {
                headers: {
                    /** @description private, no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolStatisticsAnswer"];
                    "text/csv": string;
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account never had such a key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter granularity: expected one of \"total\", \"5m\", \"hour\", \"day\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getToolOutcomes: {
        parameters: {
            query?: {
                /**
                 * @description RFC 3339 or Unix seconds; 30 days before `to` when not given. Taken back to the beginning of its hour
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description RFC 3339 or Unix seconds, not included; now when not given. Taken on to the end of its hour
                 * @example 1767312000
                 */
                to?: string;
                /**
                 * @description only calls to this tool server
                 * @example mcpservers:example
                 */
                server?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of each outcome. With `Accept: text/csv` the items alone as CSV */
            200: {
                headers: {
                    /** @description private, no-store */
                    "Cache-Control"?: string;
                    /** @description finds the request in our log */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolOutcomesAnswer"];
                    "text/csv": string;
                };
            };
            /** @description The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No API key that works; the same answer for all of them */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "unauthorized",
                     *         "message": "A valid API key is needed, as Authorization: Bearer <API key>"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "permission_missing",
                     *         "message": "This key lacks the permission Statistics Read: tick it in the key"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account never had such a key */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "not_found",
                     *         "message": "There is no query key of this id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too long */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A parameter is not allowed; the message names it, and what is allowed */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "code": "invalid_request",
                     *         "message": "query parameter granularity: expected one of \"total\", \"5m\", \"hour\", \"day\""
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many requests from this address or with this key; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The header fields, the address included, are longer than the HTTP server itself reads; sent without a body */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Something went wrong on our side; x-request-id finds it in our log */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The database does not answer, or the server is overloaded or stopping; try again shortly */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}
