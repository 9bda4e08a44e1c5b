import type { TopicSource } from '../topic.ts'

export const money: TopicSource[] = [
  {
    tags: 'pensions saving retirement planning',
    pursuits: `saving for a life you cannot picture, retiring on half of what you planned, starting a pension at
      forty-four, explaining compound interest to a teenager, spending what you saved`,
    matters: 'the small pension, the first payslip, the retirement that came early, the fee nobody reads',
    crowds: 'small pensions, annual statements, late savers, hidden fees',
    things: `pension fund payslip fee statement contribution pot annuity percentage birthday allowance forecast
      adviser`,
    masses: 'interest retirement inflation thrift saving longevity',
    people: 'pensioner saver adviser actuary employer',
    acts: 'save withdraw/withdrew/withdrawn invest postpone estimate inherit consolidate defer+',
    adjectives: 'retired compound modest taxable monthly frugal late',
  },
  {
    tags: 'debt credit borrowing banks',
    pursuits: `paying off a debt in public, lending money to family, reading the small print aloud, borrowing
      against a car, living without a credit card for a year`,
    matters: 'the last repayment, the family loan, the overdraft, the letter with the red stripe',
    crowds: 'family loans, credit cards, overdrafts, minimum payments',
    things: 'debt loan card repayment letter overdraft lender bailiff score instalment default signature creditor',
    masses: 'credit interest shame relief borrowing bankruptcy',
    people: 'borrower lender debtor bailiff guarantor',
    acts: 'borrow repay/repaid owe lend/lent consolidate forgive/forgave/forgiven hide/hid/hidden',
    adjectives: 'overdue unsecured indebted solvent minimum red interest-free',
  },
  {
    tags: 'rent housing landlords cities',
    pursuits: `renting the same flat for twenty years, negotiating with a landlord, buying a house with friends,
      moving six times in five years, asking for the deposit back`,
    matters: 'the shared flat, the missing deposit, the kind landlord, the rent that ate the raise',
    crowds: 'long tenancies, missing deposits, shared flats, first-time buyers',
    things: `flat lease deposit tenant landlord room boiler inventory viewing mortgage house agent key flatmate
      eviction`,
    masses: 'rent housing mould security gentrification affordability',
    people: 'tenant landlord flatmate agent neighbour',
    acts: 'rent sublet+/sublet evict repaint repair negotiate furnish inspect',
    adjectives: 'furnished affordable damp shared overpriced rented tiny',
  },
  {
    tags: 'freelancing invoices clients work',
    pursuits: `sending an invoice you are ashamed of, working for yourself in a small town, charging by the day,
      chasing a late payment politely, saying no to a client in June`,
    matters: 'the late invoice, the day rate, the first bad client, the quiet month',
    crowds: 'late invoices, day rates, quiet months, repeat clients',
    things: `invoice client contract rate deadline brief reminder deposit portfolio quote project receipt retainer
      spreadsheet`,
    masses: 'freelancing cash paperwork independence overwork admin',
    people: 'freelancer client accountant illustrator bookkeeper',
    acts: 'invoice chase quote subcontract undercharge negotiate bill decline',
    adjectives: 'self-employed unpaid late irregular billable polite quiet',
  },
  {
    tags: 'tax fairness government policy',
    pursuits: `filling in a tax return with a pencil, taxing land instead of labour, explaining where a pound
      goes, paying more tax on purpose, reading the budget to the end`,
    matters: 'the tax return, the land tax, the honest receipt, the brown envelope',
    crowds: 'tax returns, brown envelopes, loopholes, honest receipts',
    things: `tax return receipt allowance threshold loophole envelope budget levy exemption refund penalty
      deadline form`,
    masses: 'taxation revenue fairness compliance evasion paperwork',
    people: 'taxpayer accountant inspector minister clerk',
    acts: 'tax declare deduct audit file owe exempt calculate',
    adjectives: 'taxable progressive exempt fiscal owed complicated annual',
  },
  {
    tags: 'investing markets risk patience',
    pursuits: `owning the whole market and forgetting it, selling at the wrong time, teaching children about risk,
      holding a share for thirty years, doing nothing in a crash`,
    matters: 'the forgotten portfolio, the bad year, the confident forecast, the index fund',
    crowds: 'index funds, confident forecasts, bad years, patient investors',
    things: 'share fund index market crash portfolio dividend bond broker bubble forecast chart return fee',
    masses: 'risk volatility patience capital speculation liquidity',
    people: 'investor broker trader saver speculator',
    acts: 'buy/bought sell/sold hold/held rebalance diversify hedge panic-sell/panic-sold reinvest',
    adjectives: 'volatile diversified patient overvalued passive bullish liquid',
  },
  {
    tags: 'cash-flow small-business accounting survival',
    pursuits: `surviving the third year, counting cash on a Friday evening, opening the books to everyone, growing
      slower than you could, paying suppliers first`,
    matters: 'the third year, the open book, the thirty-day term, the shop that stayed small',
    crowds: 'small firms, thirty-day terms, honest ledgers, slow growers',
    things: `ledger supplier invoice order margin account wage stock overhead forecast receipt till loan contract
      warehouse`,
    masses: 'cash profit growth turnover bookkeeping credit',
    people: 'owner supplier bookkeeper creditor employee',
    acts: 'count order pay/paid stock budget forecast reconcile outsource',
    adjectives: 'profitable insolvent seasonal modest audited family-run steady',
  },
  {
    tags: 'inheritance family wills fairness',
    pursuits: `dividing a house between four sisters, writing a will at thirty, inheriting a piano and a debt,
      giving it away while you can watch, talking about money with your father`,
    matters: 'the unequal will, the inherited house, the box in the attic, the conversation before the funeral',
    crowds: 'unequal wills, inherited houses, family quarrels, heirlooms',
    things: 'will house heirloom sister funeral executor trust solicitor box quarrel estate legacy signature attic',
    masses: 'inheritance jewellery resentment probate fairness grief',
    people: 'heir executor sister solicitor widow',
    acts: 'inherit bequeath divide contest appraise donate distribute',
    adjectives: 'inherited unequal sentimental childless legal disputed late',
  },
  {
    tags: 'inflation prices central-banks economics',
    pursuits: `watching the price of butter for a year, living through inflation twice, asking who sets the
      interest rate, measuring a basket of shopping, printing money slowly`,
    matters: 'the price of butter, the basket of goods, the emergency rate, the coin that buys nothing',
    crowds: 'rising prices, central banks, old coins, shopping baskets',
    things: 'price rate basket wage coin bank index shock target currency forecast shortage subsidy pump',
    masses: 'inflation butter currency policy petrol austerity',
    people: 'economist governor shopper cashier minister',
    acts: 'print peg devalue index ration raise measure borrow',
    adjectives: 'monetary rising scarce nominal stagnant household central',
  },
]
