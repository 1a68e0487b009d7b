import {
  Acknowledgement,
  AlertRule,
  type AlertRuleView,
  type AlertView,
  RuleByName,
  type RuleTestResult,
} from '../../shared/alerts.ts'
import {
  AlertChannelChange,
  ChannelByName,
  type ChannelTestResult,
  type ChannelView,
  type CreatedChannel,
  NewAlertChannel,
} from '../../shared/alert-channels.ts'
import {
  MaintenanceByName,
  type MaintenanceView,
  MaintenanceWindow,
  type AlertSilence,
  SilenceById,
  SilenceForm,
} from '../../shared/alert-times.ts'
import {
  DeliveryById,
  type DeliveryDetails,
  type DeliveryPage,
  DeliveryQuery,
} from '../../shared/deliveries.ts'
import { authorOf, operatorProcedure, router } from '../trpc/init.ts'
import type { Alerts } from './alerts.ts'

/** What is firing, for the overview and the page of alerts. All of this is for operators. */
function alertProcedures({ firing }: Pick<Alerts, 'firing'>) {
  return router({
    /** What is firing now, the newest first. */
    firing: operatorProcedure.query((): Promise<AlertView[]> => firing.list()),
    /** What was resolved in the last seven days, the newest first; at most 200. */
    past: operatorProcedure.query((): Promise<AlertView[]> => firing.past()),
    /** Somebody takes care of it: it is not told again until it is resolved. */
    acknowledge: operatorProcedure
      .input(Acknowledgement)
      .mutation(({ ctx, input }): Promise<void> => firing.acknowledge(input, authorOf(ctx))),
  })
}

function alertRuleProcedures({ rules }: Pick<Alerts, 'rules'>) {
  return router({
    list: operatorProcedure.query((): Promise<AlertRuleView[]> => rules.list()),
    create: operatorProcedure
      .input(AlertRule)
      .mutation(({ ctx, input }): Promise<void> => rules.create(input, authorOf(ctx))),
    /** Puts a rule in the place of the one of its name. Those of the file are changed there. */
    update: operatorProcedure
      .input(AlertRule)
      .mutation(({ ctx, input }): Promise<void> => rules.update(input, authorOf(ctx))),
    delete: operatorProcedure
      .input(RuleByName)
      .mutation(({ ctx, input }): Promise<void> => rules.remove(input.name, authorOf(ctx))),
    /** Says for what a rule holds now. Nothing is stored or sent. */
    test: operatorProcedure
      .input(AlertRule)
      .mutation(({ input }): Promise<RuleTestResult> => rules.test(input)),
  })
}

function channelProcedures({ channels }: Pick<Alerts, 'channels'>) {
  return router({
    list: operatorProcedure.query((): Promise<ChannelView[]> => channels.list()),
    create: operatorProcedure
      .input(NewAlertChannel)
      .mutation(({ ctx, input }): Promise<CreatedChannel> => channels.create(input, authorOf(ctx))),
    /** What is left out stays, secrets among it. */
    update: operatorProcedure
      .input(AlertChannelChange)
      .mutation(({ ctx, input }): Promise<void> => channels.update(input, authorOf(ctx))),
    delete: operatorProcedure
      .input(ChannelByName)
      .mutation(({ ctx, input }): Promise<void> => channels.remove(input.name, authorOf(ctx))),
    /** Sends a message that says that it is a test, at once, and tells the real answer. */
    test: operatorProcedure
      .input(ChannelByName)
      .mutation(({ ctx, input }): Promise<ChannelTestResult> => channels.test(input.name, authorOf(ctx))),
  })
}

function deliveryProcedures({ deliveries }: Pick<Alerts, 'deliveries'>) {
  return router({
    list: operatorProcedure
      .input(DeliveryQuery)
      .query(({ input }): Promise<DeliveryPage> => deliveries.list(input)),
    /** One delivery with every attempt. */
    get: operatorProcedure
      .input(DeliveryById)
      .query(({ input }): Promise<DeliveryDetails> => deliveries.get(input.id)),
    /** Sends one that was given up again, under its id. */
    resend: operatorProcedure
      .input(DeliveryById)
      .mutation(({ ctx, input }): Promise<void> => deliveries.resend(input.id, authorOf(ctx))),
  })
}

function silenceProcedures({ silences }: Pick<Alerts, 'silences'>) {
  return router({
    /** Those that last. */
    list: operatorProcedure.query((): Promise<AlertSilence[]> => silences.list()),
    create: operatorProcedure
      .input(SilenceForm)
      .mutation(({ ctx, input }): Promise<{ id: string }> => silences.create(input, authorOf(ctx))),
    /** Ends one now. */
    end: operatorProcedure
      .input(SilenceById)
      .mutation(({ ctx, input }): Promise<void> => silences.end(input.id, authorOf(ctx))),
  })
}

function maintenanceProcedures({ maintenance }: Pick<Alerts, 'maintenance'>) {
  return router({
    list: operatorProcedure.query((): Promise<MaintenanceView[]> => maintenance.list()),
    create: operatorProcedure
      .input(MaintenanceWindow)
      .mutation(({ ctx, input }): Promise<void> => maintenance.create(input, authorOf(ctx))),
    /** Puts a window in the place of the one of its name. Those of the file are changed there. */
    update: operatorProcedure
      .input(MaintenanceWindow)
      .mutation(({ ctx, input }): Promise<void> => maintenance.update(input, authorOf(ctx))),
    delete: operatorProcedure
      .input(MaintenanceByName)
      .mutation(({ ctx, input }): Promise<void> => maintenance.remove(input.name, authorOf(ctx))),
  })
}

/** The routers of alerts, under their names in the API. */
export const alertRouters = (alerts: Alerts) => ({
  alerts: alertProcedures(alerts),
  alertRules: alertRuleProcedures(alerts),
  channels: channelProcedures(alerts),
  deliveries: deliveryProcedures(alerts),
  silences: silenceProcedures(alerts),
  maintenance: maintenanceProcedures(alerts),
})
