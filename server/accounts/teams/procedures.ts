import {
  NewTeam,
  NewTeamInvitation,
  TeamById,
  TeamInvitationById,
  TeamMemberById,
  TeamRename,
  TeamRoleChange,
} from '../../../shared/teams.ts'
import { ShownInvitation } from '../../../shared/invitations.ts'
import {
  authorOf,
  freshPersonProcedure,
  operatorProcedure,
  personProcedure,
  router,
} from '../../trpc/init.ts'
import type { Teams } from './teams.ts'

/** The teams of the person who is signed in, whichever they have chosen to act for; and all of them for operators. */
export function teamProcedures(teams: Teams) {
  return router({
    list: personProcedure.query(({ ctx }) => teams.listOf(ctx.account.id)),
    details: personProcedure
      .input(TeamById)
      .query(({ ctx, input }) => teams.details(ctx.account.id, input.team)),
    create: personProcedure
      .input(NewTeam)
      .mutation(({ ctx, input }) =>
        teams.create({ ...authorOf(ctx), isOperator: ctx.isOperator }, input.name),
      ),
    rename: personProcedure
      .input(TeamRename)
      .mutation(({ ctx, input }) => teams.rename(authorOf(ctx), input.team, input.name)),
    delete: freshPersonProcedure
      .input(TeamById)
      .mutation(({ ctx, input }) => teams.delete(authorOf(ctx), input.team)),
    /** The link is in the answer alone. */
    invite: personProcedure
      .input(NewTeamInvitation)
      .mutation(({ ctx, input }) => teams.invite(authorOf(ctx), input)),
    cancelInvitation: personProcedure
      .input(TeamInvitationById)
      .mutation(({ ctx, input }) => teams.cancelInvitation(authorOf(ctx), input.team, input.id)),
    /** A mutation, because the secret of an invitation belongs in no address. */
    showInvitation: personProcedure
      .input(ShownInvitation)
      .mutation(({ ctx, input }) => teams.showInvitation(ctx.account.id, input.token)),
    join: personProcedure
      .input(ShownInvitation)
      .mutation(({ ctx, input }) => teams.join(authorOf(ctx), input.token)),
    setRole: personProcedure
      .input(TeamRoleChange)
      .mutation(({ ctx, input }) => teams.setRole(authorOf(ctx), input.team, input.member, input.role)),
    removeMember: personProcedure
      .input(TeamMemberById)
      .mutation(({ ctx, input }) => teams.remove(authorOf(ctx), input.team, input.member)),
    leave: personProcedure
      .input(TeamById)
      .mutation(({ ctx, input }) => teams.leave(authorOf(ctx), input.team)),
    all: operatorProcedure.query(() => teams.all()),
    members: operatorProcedure.input(TeamById).query(({ input }) => teams.members(input.team)),
  })
}
